import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../lib/user-error.ts'
import type { ScenarioName } from '../generator/scenarios.ts'
import type { Results } from '../outcome/results.ts'
import { allResults, readResults } from '../outcome/results-file.ts'
import { toCells, type ValidationCell } from './cells.ts'
import { type ModelInput, readModelInput } from './read-demands.ts'
import { readPlan } from './results-file.ts'

/** The published run of `plan`, whose validation holds until this machine has one of its own. */
const PUBLISHED = join(import.meta.dirname, '../../docs/results/plan.json')

export interface Source {
  readonly file: string
  readonly results: Results
  readonly input: ModelInput
}

/** @throws UserError when the file holds no run that a model can be made of */
export function readSource(file: string): Source {
  const results = readResults(file)
  return { file, results, input: readModelInput(results) }
}

/** The newest run of several steps in a closed loop that a model can be made of; null if there is none. */
export function findNewestSource(): Source | null {
  for (const file of listRuns()) {
    const source = tryToRead(file, readSource)
    if (source && isLadder(source)) return source
  }
  return null
}

const isLadder = ({ input: { steps } }: Source) =>
  steps.length > 1 && steps.every(({ loads }) => loads.some(({ load }) => load.kind === 'closed'))

/**
 * The cells of the newest calm validation with this scenario: of this machine, or else the published one. Empty if there
 * is none.
 */
export function findValidation(scenario: ScenarioName): readonly ValidationCell[] {
  for (const file of [...listRuns(), PUBLISHED]) {
    const plan = tryToRead(file, readPlan)
    if (plan?.validation && !plan.noisy && !plan.partial && plan.source.scenario === scenario)
      return toCells(plan.validation)
  }
  return []
}

/** Null if the file cannot be read, or holds something else. */
function tryToRead<Found>(file: string, read: (file: string) => Found): Found | null {
  try {
    return read(file)
  } catch (error) {
    if (error instanceof UserError) return null
    throw error
  }
}

/** The results files of this machine, the newest first. */
function listRuns(): string[] {
  if (!existsSync(allResults)) return []
  return readdirSync(allResults)
    .filter(name => /^\d{4}-/.test(name))
    .toSorted()
    .reverse()
    .map(name => join(allResults, name))
}
