import { makePlan, type PlanOptions } from './make-plan.ts'
import { readModelInput } from './read-demands.ts'
import type { PlanResults } from './results.ts'
import { makeRun } from './run.fixture.ts'

const run = makeRun([])

/** An invented run in a closed loop, as the source of a plan. */
export const inventedSource = { file: 'run/results.json', results: run, input: readModelInput(run) }

/** Blocks of a validation. */
export const BLOCKS = 2

export const planOptions: PlanOptions = {
  settings: { command: 'plan', arguments: [], rounds: BLOCKS, seed: 1, connections: 50, apart: null },
  cores: [2, 8],
  wanted: { ratePerSecond: 1000, p99Ms: 300, seed: 1 },
  validate: false,
  earlier: [],
  acceptNoise: false,
}

export const NEVER = new AbortController().signal

/** The plan of the invented run, which is not saved. */
export const makeInventedPlan = (): Promise<PlanResults> =>
  makePlan(inventedSource, planOptions, NEVER, { save: () => {} })
