import { threadsOn } from './ladder.ts'
import { type Model, type ModelledStep, predict, type Situation } from './model.ts'
import { pathOf } from './path.ts'
import type { Size, SizedRow } from './results.ts'
import type { Prediction } from './simulate.ts'

export interface Wanted {
  readonly ratePerSecond: number
  readonly p99Ms: number
  readonly seed: number
}

/** Cores of one instance that are tried, in this order. */
const CORES_TRIED = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32]

/** One instance gets no more cores once they raise its rate by less than this. */
const LEAST_GAIN = 1.05

/** Halvings of the interval in which the highest rate of one instance lies. */
const HALVINGS = 6

/** So many clients that a request does not wait for a connection. */
const CONNECTIONS = 500

/** Clients and upstream of a real service are on other machines. */
const APART_CORES = 64

/** A pool of one thread takes this much memory, see the table of docs/break-even.md. */
const THREAD_MIB = 22

/** Finds the fewest cores on which instances of a step serve the rate, each instance on cores of its own. */
export function sizeStep(model: Model, step: ModelledStep, wanted: Wanted): SizedRow {
  const { number, name } = step
  let best: Size | null = null
  let highest = 0
  for (const cores of CORES_TRIED) {
    const most = findHighestRate(model, step, cores, wanted)
    if (most !== null) {
      const size = sizeOf(model, step, cores, most, wanted)
      if (!best || size.totalCores < best.totalCores) best = size
    }
    const rate = most?.ratePerSecond ?? 0
    if (highest > 0 && rate < highest * LEAST_GAIN) break
    highest = Math.max(highest, rate)
  }
  return { isModel: true, number, name, size: best }
}

interface Found {
  readonly ratePerSecond: number
  readonly prediction: Prediction
}

/** The highest rate that one instance on these cores serves in time, up to the whole rate; null if there is none. */
function findHighestRate(model: Model, step: ModelledStep, cores: number, wanted: Wanted): Found | null {
  const serve = (ratePerSecond: number): Found | null => {
    const situation: Situation = {
      ...{ cores, connections: CONNECTIONS, apart: APART_CORES, instances: 1, threads: threadsOn(cores) },
      load: { kind: 'open', ratePerSecond, arrivals: 'poisson', seed: wanted.seed },
    }
    const prediction = predict(model, step, situation)
    const isInTime = prediction.latencyMs.p99 <= wanted.p99Ms && prediction.goodput > 0.97 * ratePerSecond
    return isInTime ? { ratePerSecond, prediction } : null
  }
  let [low, high] = [0, Math.min(wanted.ratePerSecond, boundOf(model, step, cores))]
  let best = serve(high)
  if (best) return best
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2
    const found = serve(middle)
    if (found) [best, low] = [found, middle]
    else high = middle
  }
  return best
}

/** No instance answers more a second than its main thread, its pool and its cores allow. */
function boundOf(
  { input: { scenario } }: Model,
  { composition, demands }: ModelledStep,
  cores: number,
): number {
  const works = pathOf(scenario, composition)?.works ?? 'mainThread'
  const least = (part: keyof (typeof demands)[number]['micros']) =>
    Math.min(...demands.map(({ micros }) => micros[part]))
  const inPool = works === 'mainThread' ? 0 : least(works) / threadsOn(cores)
  return 1e6 / Math.max(1, least('mainThread'), inPool)
}

function sizeOf(
  { input }: Model,
  { composition, memoryMiB }: ModelledStep,
  cores: number,
  { ratePerSecond, prediction }: Found,
  wanted: Wanted,
): Size {
  const instances = Math.ceil(wanted.ratePerSecond / ratePerSecond)
  const threads = threadsOn(cores)
  const pools = [composition.compute, composition.rendering].filter(name => name === 'threads').length
  const ofOne = memoryMiB === null ? null : memoryMiB + pools * (threads - input.threads) * THREAD_MIB
  return {
    instances,
    cores,
    threads,
    totalCores: instances * cores,
    memoryMiB: ofOne === null ? null : Math.round(instances * ofOne),
    p99Ms: prediction.latencyMs.p99,
    mainThreadUtilization: prediction.utilization.mainThread ?? 0,
  }
}
