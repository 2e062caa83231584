import type { ValidationCell } from './cells.ts'
import { findError } from './errors.ts'
import { type Model, type ModelledStep, predict } from './model.ts'
import { pathOf } from './path.ts'
import type { Size, SizedRow } from './results.ts'
import type { Prediction } from './simulate.ts'
import { usualWindow } from './window.ts'
import { findBusiest } from './words.ts'

export interface Wanted {
  readonly ratePerSecond: number
  readonly p99Ms: number
  readonly seed: number
}

/** Cores of one instance that are tried, in this order. */
const CORES_TRIED = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32]

/** One instance gets no more cores once they raise its rate by less than this. */
const LEAST_GAIN = 1.05

/** At this share of its bound, an instance waits for hardly anything: if it is late there, it is always late. */
const LOW_SHARE = 0.05

/** The share of a rate that is answered within a simulation; the rest is in flight at its end. */
const SERVED = 0.97

/** Halvings of the interval in which the highest rate of one instance lies. */
const HALVINGS = 6

/** So many clients that a request does not wait for a connection. */
const CONNECTIONS = 500

/** A pool of one thread takes this much memory, see the table of docs/break-even.md. */
const THREAD_MIB = 22

/**
 * Finds the fewest cores on which instances of a step serve the rate, each instance on cores of its own.
 * @param validated cells that were validated, for the error
 */
export function sizeStep(
  model: Model,
  step: ModelledStep,
  wanted: Wanted,
  validated: readonly ValidationCell[],
): SizedRow {
  const { number, name } = step
  let best: Size | null = null
  let highest = 0
  for (const cores of CORES_TRIED) {
    const rate = findHighestRate(model, step, cores, wanted)
    if (rate > 0) {
      const size = sizeOf(model, step, cores, rate, wanted)
      if (size && (!best || size.totalCores < best.totalCores)) best = size
    }
    if (highest > 0 && rate < highest * LEAST_GAIN) break
    highest = Math.max(highest, rate)
  }
  const costsFrom = model.input.cores
  const error = best && findError(validated, { name, cores: best.cores, costsFrom, isClosed: false })
  return { isModel: true, number, name, size: best, error }
}

/** The highest rate that one instance on these cores serves in time, at most the whole rate; 0 if there is none. */
function findHighestRate(model: Model, step: ModelledStep, cores: number, wanted: Wanted): number {
  const isServed = (rate: number) => isInTime(predictAt(model, step, cores, rate, wanted), rate, wanted)
  let [low, high] = [0, Math.min(wanted.ratePerSecond, boundOf(model, step, cores))]
  if (isServed(high)) return high
  if (!isServed(high * LOW_SHARE)) return 0
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2
    if (isServed(middle)) low = middle
    else high = middle
  }
  return low
}

const predictAt = (
  model: Model,
  step: ModelledStep,
  cores: number,
  ratePerSecond: number,
  { seed }: Wanted,
): Prediction => {
  const load = { kind: 'open', ratePerSecond, arrivals: 'poisson', seed } as const
  return predict(model, step, {
    ...{ cores, connections: CONNECTIONS, apart: 'elsewhere', instances: 1, threads: cores },
    ...{ load, window: usualWindow(load), stealShare: 0 },
  })
}

const isInTime = ({ latencyMs, goodput }: Prediction, ratePerSecond: number, { p99Ms }: Wanted) =>
  latencyMs.p99 <= p99Ms && goodput > SERVED * ratePerSecond

/** No instance answers more a second than its main thread, its pool and its cores allow. */
function boundOf(
  { input: { scenario } }: Model,
  { composition, demands }: ModelledStep,
  cores: number,
): number {
  const works = pathOf(scenario, composition)?.works ?? 'mainThread'
  const least = (part: keyof (typeof demands)[number]['micros']) =>
    Math.min(...demands.map(({ micros }) => micros[part]))
  const inPool = works === 'mainThread' ? 0 : least(works) / cores
  return 1e6 / Math.max(1, least('mainThread'), inPool)
}

/**
 * At a lower rate, requests arrive at other times, so p99 may be a little longer. Instances are then added, at most as
 * many again, until it is short enough. Null if it never is.
 */
function sizeOf(
  model: Model,
  step: ModelledStep,
  cores: number,
  highestRate: number,
  wanted: Wanted,
): Size | null {
  const { composition, memoryMiB } = step
  const predictShare = (instances: number) =>
    predictAt(model, step, cores, wanted.ratePerSecond / instances, wanted)
  const least = Math.ceil(wanted.ratePerSecond / highestRate)
  let instances = least
  let share = predictShare(instances)
  while (!isInTime(share, wanted.ratePerSecond / instances, wanted)) {
    if (instances === 2 * least) return null
    share = predictShare(++instances)
  }
  const pools = [composition.compute, composition.rendering].filter(name => name === 'threads').length
  const ofOne = memoryMiB === null ? null : memoryMiB + pools * (cores - model.input.threads) * THREAD_MIB
  const { latencyMs, utilization } = share
  return {
    ...{ instances, cores, threads: cores, totalCores: instances * cores },
    memoryMiB: ofOne === null ? null : Math.round(instances * ofOne),
    p99Ms: latencyMs.p99,
    mainThreadUtilization: utilization.mainThread ?? 0,
    bottleneck: findBusiest(share),
  }
}
