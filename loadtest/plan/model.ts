import { appOptions } from '../../app/config.ts'
import { median } from '../statistics/median.ts'
import { toCurves } from './demands.ts'
import { pathOf, type RequestPath } from './path.ts'
import type { MeasuredLoad, MeasuredStep, ModelInput } from './read-demands.ts'
import { type Cell, type Prediction, simulate } from './simulate.ts'
import type { SimulatedLoad } from './simulation/clients.ts'
import { REQUESTS_A_STALL } from './simulation/stack.ts'

/** What a run has measured, and the two figures that are fitted to it. */
export interface Model {
  readonly input: ModelInput
  /** The time until an idle core runs a woken thread, so that p50 is right at the lowest rate; 0 without an open loop. */
  readonly wakeMicros: number
  readonly steps: readonly ModelledStep[]
}

export interface ModelledStep extends MeasuredStep {
  /** The length of a stall, so that p99 is right in the closed loop. */
  readonly stallMicros: number
}

/** The machine and the load for which a step is predicted. */
export interface Situation extends SimulatedLoad {
  readonly cores: number
  /** Number of cores that clients and upstream have of their own; null if they share those of the app. */
  readonly apart: number | null
  readonly instances: number
  readonly threads: number
}

/** The prediction for a step. It is a model, not a measurement. */
export const predict = (model: Model, step: ModelledStep, situation: Situation): Prediction =>
  simulate(cellOf(model.input, step, situation, model.wakeMicros, step.stallMicros))

function cellOf(
  { scenario }: ModelInput,
  { composition, demands }: MeasuredStep,
  situation: Situation,
  wakeMicros: number,
  stallMicros: number,
): Cell {
  return {
    ...situation,
    path: pathOf(scenario, composition) as RequestPath,
    curves: toCurves(demands, situation.load.kind === 'closed'),
    workerPriority: Number(appOptions.workerPriority.default),
    wakeMicros,
    stallMicros,
  }
}

/** The situation in which the run measured. */
export const situationOf = (
  { cores, threads, connections }: ModelInput,
  { ratePerSecond }: Pick<MeasuredLoad, 'ratePerSecond'>,
  seed: number,
): Situation => ({
  ...{ cores, threads, connections },
  apart: null,
  instances: 1,
  load:
    ratePerSecond === null ? { kind: 'closed' } : { kind: 'open', ratePerSecond, arrivals: 'poisson', seed },
})

/** Makes the model of a run: fits the two figures that the run does not contain. */
export function fitModel(input: ModelInput, seed: number): Model {
  const wakeMicros = median(input.steps.flatMap(step => fitWake(input, step, seed))) ?? 0
  const steps = input.steps.map(step => ({ ...step, stallMicros: fitStall(input, step, wakeMicros, seed) }))
  return { input, wakeMicros, steps }
}

const PROBE_MICROS = 50
const MOST_WAKE_MICROS = 300

/** p50 at a low rate grows by the same amount with each microsecond of a wake-up. Empty without an open loop. */
function fitWake(input: ModelInput, step: MeasuredStep, seed: number): number[] {
  const [lowest] = step.loads
    .filter(({ ratePerSecond }) => ratePerSecond !== null)
    .toSorted((one, other) => (one.ratePerSecond ?? 0) - (other.ratePerSecond ?? 0))
  if (!lowest) return []
  const p50With = (wakeMicros: number) =>
    simulate(cellOf(input, step, situationOf(input, lowest, seed), wakeMicros, 0)).latencyMs.p50
  const without = p50With(0)
  const grows = (p50With(PROBE_MICROS) - without) / PROBE_MICROS
  return [Math.min(MOST_WAKE_MICROS, Math.max(0, (lowest.p50Ms - without) / grows))]
}

/** Below this number of connections, a stall holds up less than a hundredth of the requests, and p99 does not tell it. */
const LEAST_CONNECTIONS = REQUESTS_A_STALL / 100
const MOST_STALL_MICROS = 100_000

/** So often the length is corrected: p99 grows by less than a stall, because a pool works on meanwhile. */
const CORRECTIONS = 3

function fitStall(input: ModelInput, step: MeasuredStep, wakeMicros: number, seed: number): number {
  const closed = step.loads.find(({ ratePerSecond }) => ratePerSecond === null)
  if (!closed || input.connections < LEAST_CONNECTIONS) return 0
  let stallMicros = 0
  for (let correction = 0; correction < CORRECTIONS; correction++) {
    const cell = cellOf(input, step, situationOf(input, closed, seed), wakeMicros, stallMicros)
    const missing = (closed.p99Ms - simulate(cell).latencyMs.p99) * 1000
    stallMicros = Math.min(MOST_STALL_MICROS, Math.max(0, stallMicros + missing))
  }
  return stallMicros
}
