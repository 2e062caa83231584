import { record } from '../../lib/record.ts'

/** The parts of a stack that use CPU time: the threads of the app, and the other processes. */
export const partNames = [
  'mainThread',
  'workers',
  'rendering',
  'helpers',
  'loggerTransport',
  'apmAgent',
  'upstream',
  'clients',
] as const

export type Part = (typeof partNames)[number]

/**
 * The parts that also use CPU time while no request comes: they compile code, flush what has gathered, and look at the
 * clock. What a request costs them follows from the rate.
 */
const steadyParts = ['helpers', 'loggerTransport', 'apmAgent', 'clients'] as const satisfies readonly Part[]
type SteadyPart = (typeof steadyParts)[number]

/** The other parts, which requests alone wake. What a request costs them follows from how they are used. */
export type WokenPart = Exclude<Part, SteadyPart>
const isWoken = (part: Part): part is WokenPart => !(steadyParts as readonly Part[]).includes(part)
export const wokenParts = partNames.filter(isWoken)

/** Whether a part may have cores of its own, because it is no part of the service. */
export const isApart = (part: Part): boolean => part === 'clients' || part === 'upstream'

/** A value for each part. */
export type PerPart<Value> = Readonly<Record<Part, Value>>

export const forEachPart = <Value>(make: (part: Part) => Value): PerPart<Value> => record(partNames, make)

/** The CPU time that one request needs of each part, as it was measured at one load. */
export interface DemandAtLoad {
  /** Whether a closed loop sent the load. Its client is another program than that of an open loop. */
  readonly isClosed: boolean
  /** Answers a second. */
  readonly ratePerSecond: number
  /** CPU microseconds a request. */
  readonly micros: PerPart<number>
}

/** How a part is used at a load. Its cost follows from this. */
export interface PartUse {
  /**
   * How often its threads sleep and are woken for a request. Each time costs the kernel work, and what waits when a thread
   * wakes is done in one turn.
   */
  readonly wakeups: number
  /**
   * How hot it is, from 0 to 1: the share of time in which its thread runs or, if that is more, in which its cores run. A
   * core that has slept has cold caches and a low frequency.
   */
  readonly heat: number
}

/** The CPU time of a part that also works while no request comes. It is the same at every load. */
export interface SteadyCost {
  /** CPU microseconds a second, with or without requests. */
  readonly microsASecond: number
  /** CPU microseconds for each request besides. */
  readonly microsARequest: number
}

/** CPU microseconds that a request needs of a part at a use. */
export interface Cost extends PartUse {
  readonly micros: number
}

/** A measured load, and how the simulation of this load uses each part. */
export interface UsedDemand extends DemandAtLoad {
  readonly use: PerPart<PartUse>
}

/** The CPU time that requests take of every part: of some by their use, of the others by the rate. */
export interface PartCosts {
  readonly woken: Readonly<Record<WokenPart, readonly Cost[]>>
  readonly steady: Readonly<Record<SteadyPart, SteadyCost>>
}

/** The costs of all parts, under a load of this kind. */
export function toCosts(demands: readonly UsedDemand[], isClosed: boolean): PartCosts {
  const sameClient = demands.filter(demand => demand.isClosed === isClosed)
  const ofClients = sameClient.length > 0 ? sameClient : demands
  return {
    woken: record(wokenParts, part =>
      demands.map(({ use, micros }) => ({ ...use[part], micros: micros[part] })),
    ),
    steady: record(steadyParts, part => fitSteady(part === 'clients' ? ofClients : demands, part)),
  }
}

/** Errors of less than this CPU time do not count more than it. */
const LEAST_MICROS = 1

/**
 * Finds the two costs with the least relative errors: with a time for each second, a request costs less the more of them come
 * (weighted least squares of the CPU time of a request over the time between two). Neither is below 0.
 */
export function fitSteady(demands: readonly DemandAtLoad[], part: Part): SteadyCost {
  const points = demands.map(({ ratePerSecond, micros }) => {
    const cost = micros[part]
    return { seconds: 1 / ratePerSecond, cost, weight: Math.max(LEAST_MICROS, cost) ** -2 }
  })
  const weighted = (of: (point: (typeof points)[number]) => number) =>
    points.reduce((sum, point) => sum + point.weight * of(point), 0)
  const all = weighted(() => 1)
  const meanSeconds = weighted(({ seconds }) => seconds) / all
  const meanCost = weighted(({ cost }) => cost) / all
  const spread = weighted(({ seconds }) => (seconds - meanSeconds) ** 2)
  const slope = weighted(({ seconds, cost }) => (seconds - meanSeconds) * (cost - meanCost)) / spread || 0
  const microsASecond = Math.max(0, slope)
  const microsARequest = meanCost - microsASecond * meanSeconds
  if (microsARequest >= 0) return { microsASecond, microsARequest }
  const through = weighted(({ seconds, cost }) => seconds * cost) / weighted(({ seconds }) => seconds ** 2)
  return { microsASecond: through, microsARequest: 0 }
}

/**
 * CPU microseconds at a use: the mean of all costs, each weighted with the inverse square of its distance (Shepard, A
 * two-dimensional interpolation function for irregularly-spaced data, 1968). It is never beyond the measured ones. Both
 * axes are scaled to the range of the costs, so that they count alike, unless the costs hardly differ there.
 */
export function microsAt(costs: readonly Cost[], { wakeups, heat }: PartUse): number {
  const scale = { wakeups: rangeOf(costs, 'wakeups'), heat: rangeOf(costs, 'heat') }
  let sum = 0
  let weights = 0
  for (const cost of costs) {
    const squared = ((cost.wakeups - wakeups) / scale.wakeups) ** 2 + ((cost.heat - heat) / scale.heat) ** 2
    if (squared === 0) return cost.micros
    sum += cost.micros / squared
    weights += 1 / squared
  }
  return weights === 0 ? 0 : sum / weights
}

/** The least range of an axis, as a share of its highest value: costs that differ less there tell nothing about it. */
const LEAST_RANGE = 0.1

const rangeOf = (costs: readonly Cost[], axis: keyof PartUse): number => {
  const values = costs.map(cost => cost[axis])
  const highest = Math.max(...values)
  return Math.max(highest - Math.min(...values), LEAST_RANGE * highest) || 1
}
