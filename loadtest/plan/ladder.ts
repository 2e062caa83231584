import type { ValidationCell } from './cells.ts'
import { findError } from './errors.ts'
import { type Model, type ModelledStep, predict, type Situation } from './model.ts'
import type { LadderRow } from './results.ts'
import { usualWindow } from './window.ts'

/** The numbers of cores for which every step is predicted. */
export const LADDER_CORES = [1, 2, 4, 8, 16, 32, 64]

interface LadderOptions {
  readonly cores: readonly number[]
  readonly connections: number
  readonly apart: number | null
  /** Cells that were validated, for the errors of the rows. */
  readonly validated: readonly ValidationCell[]
}

/** Predicts a step on every number of cores, in a closed loop. By default, a pool has a thread for each core. */
export const predictLadder = (model: Model, step: ModelledStep, options: LadderOptions): LadderRow[] =>
  options.cores.map(cores => predictRow(model, step, cores, options))

const CLOSED = { kind: 'closed' } as const

function predictRow(
  model: Model,
  step: ModelledStep,
  cores: number,
  { connections, apart, validated }: LadderOptions,
): LadderRow {
  const { input } = model
  const situation: Situation = {
    ...{ cores, connections, apart },
    ...{ instances: 1, stealShare: 0 },
    threads: cores === input.cores ? input.threads : cores,
    load: CLOSED,
    window: usualWindow(CLOSED),
  }
  const { goodput, latencyMs, utilization, coresUtilization } = predict(model, step, situation)
  const closed = step.loads.find(({ load }) => load.kind === 'closed')
  const isMeasured =
    closed && cores === input.cores && connections === input.connections && apart === input.apart
  return {
    isModel: true,
    number: step.number,
    name: step.name,
    cores,
    threads: situation.threads,
    goodput,
    latencyMs: { p50: latencyMs.p50, p99: latencyMs.p99 },
    utilization,
    coresUtilization,
    measured: isMeasured
      ? { goodput: closed.goodput, latencyMs: { p50: closed.p50Ms, p99: closed.p99Ms } }
      : null,
    error: findError(validated, { name: step.name, cores, costsFrom: input.cores, isClosed: true }),
  }
}
