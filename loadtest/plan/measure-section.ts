import { describeOutcome } from '../run/calibration.ts'
import { MAX_REPETITIONS } from '../run/repetitions.ts'
import { loadOf, withWindowFor } from '../sample/generate-load.ts'
import type { Row } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'
import type { SampleSettings } from '../sample/settings.ts'
import { fitModel } from './fit-model.ts'
import { type Model, type ModelledStep, predict } from './model.ts'
import { toStep } from './read-demands.ts'
import type { CellFigures, ValidationSample } from './results.ts'
import {
  describeCell,
  MOST_CONNECTIONS,
  type PlannedCell,
  planCells,
  planCosts,
  rateOf,
} from './validation-cells.ts'
import { windowOfSample } from './window.ts'

/** The part of a validation that is measured within six minutes: all cells of a row on the cores of a group, in one block. */
export interface Section {
  readonly row: Row
  readonly group: Group
  readonly round: number
}

/** A number of cores, and how these are chosen. */
export interface Group {
  readonly cores: number
  /** The cores that the app and its sidecars are kept on; null when they have all. */
  readonly pinned: readonly number[] | null
  /** Number of cores that clients and upstream have of their own; null if they share those of the app. */
  readonly apart: number | null
}

interface SectionOptions {
  /**
   * Good responses a second of the first row in a closed loop, of which the rates are shares; null for the first row, whose
   * section begins with this measurement, and undefined if it could not be measured.
   */
  readonly capacity: number | null | undefined
  readonly settings: SampleSettings
  readonly take: (row: Row, round: number, settings: SampleSettings) => Promise<Sample>
  /** Called with a line of progress after each situation. */
  readonly report: (line: string) => void
}

/** A situation, and how it is measured. */
interface Situation {
  readonly cell: PlannedCell
  /** The row of the cell, with the rate of an open loop. */
  readonly row: Row
  readonly settings: SampleSettings
}

/** The costs have arrivals of their own, so that a cell with the same rate is independent of them. */
const SEED_OF_COSTS = 1_000_000

/**
 * Measures the costs of a row on the cores of a group and makes a model of them; then measures all of its cells there, and
 * predicts them.
 * @returns nothing if a sample of the costs was refused, or the rates are unknown
 */
export async function measureSection(
  { row, group, round }: Section,
  options: SectionOptions,
): Promise<ValidationSample[]> {
  const { settings, report } = options
  const { cores, apart } = group
  const leaveOut = (reason: string) => {
    report(`left out, because ${reason}; --resume measures it again`)
    return []
  }
  let { capacity } = options
  if (capacity === undefined) return leaveOut('the capacity of the first step is unknown')
  const ofCosts = { ...settings, seed: settings.seed + SEED_OF_COSTS }
  const rows = []
  for (const cell of planCosts(row, cores)) {
    const situation = prepare(cell, group, capacity, ofCosts)
    const sample = await measure(situation, round, options)
    if (!sample.valid || !sample.threads?.length) return leaveOut('its costs are unknown')
    capacity ??= sample.goodput
    rows.push({ ...situation.row, samples: [sample] })
  }
  const model = fitModel({
    ...{ scenario: settings.scenario, cores, apart, threads: cores, connections: MOST_CONNECTIONS },
    steps: [toStep(rows, ofCosts)],
  })
  const samples: ValidationSample[] = []
  for (const cell of planCells(row, cores)) {
    const situation = prepare(cell, group, capacity, settings)
    samples.push(compare(model, situation, group, await measure(situation, round, options)))
  }
  return samples
}

/** A guess of the seconds that a sample takes to start and stop its stack. */
const OVERHEAD_SECONDS = 3

/** A guess of the seconds that a section takes. */
export function guessSeconds({ row, group }: Section, settings: SampleSettings): number {
  const { cores } = group
  const { warmupSeconds, durationSeconds } = settingsOn(group, settings)
  return [...planCosts(row, cores), ...planCells(row, cores)].reduce((sum, { sharePercent }) => {
    const windows = sharePercent === null ? 1 : OPEN_WINDOW
    return sum + warmupSeconds + windows * durationSeconds + OVERHEAD_SECONDS
  }, 0)
}

/** In an open loop, fewer requests are answered, and p99 depends on fewer of them. */
const OPEN_WINDOW = 2

/** @param capacity null in a closed loop, which needs none */
function prepare(
  cell: PlannedCell,
  group: Group,
  capacity: number | null,
  settings: SampleSettings,
): Situation {
  const own = { ...settingsOn(group, settings), connections: cell.connections }
  const ratePerSecond = capacity === null ? null : rateOf(cell, capacity)
  if (ratePerSecond === null) return { cell, row: cell.row, settings: own }
  const longer = { ...own, durationSeconds: OPEN_WINDOW * settings.durationSeconds }
  return { cell, row: { ...cell.row, ratePerSecond }, settings: withWindowFor({ ratePerSecond }, longer) }
}

/**
 * The settings of a sample on the cores of a group. A stack that has half of the cores gets twice the time to warm up: on one
 * core, some of the first requests of step 0 took 2.7 s, and counted after a warm-up of 2 s.
 */
const settingsOn = ({ cores, pinned, apart }: Group, settings: SampleSettings): SampleSettings => ({
  ...settings,
  threads: cores,
  cores: pinned,
  warmupSeconds: settings.warmupSeconds * (1 + (apart ?? 0) / cores),
})

async function measure(
  { cell, row, settings }: Situation,
  round: number,
  { take, report }: SectionOptions,
): Promise<Sample> {
  const taken: Sample[] = []
  while (!taken.at(-1)?.valid && taken.length <= MAX_REPETITIONS) taken.push(await take(row, round, settings))
  const last = taken.at(-1) as Sample
  report(`${describeCell(cell)}: ${describeOutcome(last)}`)
  return last
}

/** Predicts a cell that was measured. */
function compare(
  model: Model,
  { cell, row, settings }: Situation,
  { cores, apart }: Group,
  { round, valid, reason, noise = null, machine, ...measured }: Sample,
): ValidationSample {
  const { connections, sharePercent } = cell
  const { number, name, ratePerSecond = null } = row
  const load = loadOf(settings, round, ratePerSecond)
  const window = windowOfSample(load, settings.warmupSeconds, settings.durationSeconds)
  const stealShare = machine?.stealShare ?? 0
  const predicted = predict(model, model.steps[0] as ModelledStep, {
    ...{ cores, apart, instances: 1, threads: cores },
    ...{ connections, load, window, stealShare },
  })
  return {
    ...{ number, name, cores, connections, sharePercent, ratePerSecond, round },
    ...{ valid, reason, noise, stealShare },
    measured: figuresOf(measured),
    predicted: figuresOf(predicted),
  }
}

const figuresOf = ({ goodput, latencyMs: { p50, p99 }, mainThreadMicros, totalMicros }: CellFigures) => ({
  ...{ goodput, mainThreadMicros, totalMicros },
  latencyMs: { p50, p99 },
})
