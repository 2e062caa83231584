import { record } from '../../lib/record.ts'
import { fitNonNegative } from '../statistics/non-negative.ts'

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

/** The CPU time that a request needs of a part that requests wake. It follows from the use, within what was measured. */
export interface WokenCost {
  /** CPU microseconds of a request in any case. */
  readonly micros: number
  /** CPU microseconds besides, over the heat: a request finds the colder caches, the longer the part has slept. */
  readonly microsOverHeat: number
  /** CPU microseconds besides, for each wake-up. */
  readonly microsAWakeup: number
  /** The least and the highest cost that was measured. */
  readonly measured: readonly [number, number]
}

/** A measured load, and how the simulation of this load uses each part. */
export interface UsedDemand extends DemandAtLoad {
  readonly use: PerPart<PartUse>
}

/** The CPU time that requests take of every part: of some by their use, of the others by the rate. */
export interface PartCosts {
  readonly woken: Readonly<Record<WokenPart, WokenCost>>
  readonly steady: Readonly<Record<SteadyPart, SteadyCost>>
}

/** The costs of all parts, under a load of this kind. */
export function toCosts(demands: readonly UsedDemand[], isClosed: boolean): PartCosts {
  const sameClient = demands.filter(demand => demand.isClosed === isClosed)
  const ofClients = sameClient.length > 0 ? sameClient : demands
  return {
    woken: record(wokenParts, part => fitWoken(demands, part)),
    steady: record(steadyParts, part => fitSteady(part === 'clients' ? ofClients : demands, part)),
  }
}

/** Errors of less than this CPU time do not count more than it. */
const LEAST_MICROS = 1

/** The factors of terms that fit the cost of a part with the least relative errors. */
const fitCost = <Demand extends DemandAtLoad>(
  demands: readonly Demand[],
  part: Part,
  termsOf: (demand: Demand) => readonly number[],
): number[] =>
  fitNonNegative(
    demands.map(demand => {
      const value = demand.micros[part]
      return { terms: termsOf(demand), value, weight: Math.max(LEAST_MICROS, value) ** -2 }
    }),
  )

/** With a time for each second, a request costs less the more of them come. */
export function fitSteady(demands: readonly DemandAtLoad[], part: Part): SteadyCost {
  const [microsARequest = 0, microsASecond = 0] = fitCost(demands, part, ({ ratePerSecond }) => [
    1,
    1 / ratePerSecond,
  ])
  return { microsARequest, microsASecond }
}

/** The least heat that is told apart. */
const LEAST_HEAT = 0.01

const termsOf = ({ heat, wakeups }: PartUse) => [1, 1 / Math.max(LEAST_HEAT, heat), wakeups]

/** A request costs less, the hotter the part is and the fewer wake-ups it needs. */
export function fitWoken(demands: readonly UsedDemand[], part: WokenPart): WokenCost {
  const [micros = 0, microsOverHeat = 0, microsAWakeup = 0] = fitCost(demands, part, ({ use }) =>
    termsOf(use[part]),
  )
  const all = demands.map(demand => demand.micros[part])
  return { micros, microsOverHeat, microsAWakeup, measured: [Math.min(...all), Math.max(...all)] }
}

/** CPU microseconds at a use. They are never beyond the measured ones. */
export function microsAt(
  { micros, microsOverHeat, microsAWakeup, measured }: WokenCost,
  use: PartUse,
): number {
  const [one, overHeat, wakeups] = termsOf(use) as [number, number, number]
  const fitted = micros * one + microsOverHeat * overHeat + microsAWakeup * wakeups
  return Math.min(measured[1], Math.max(measured[0], fitted))
}
