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

/** Whether a part may have cores of its own, because it is no part of the service. */
export const isApart = (part: Part): boolean => part === 'clients' || part === 'upstream'

/** A value for each part. */
export type PerPart<Value> = Readonly<Record<Part, Value>>

export const forEachPart = <Value>(make: (part: Part) => Value): PerPart<Value> => record(partNames, make)

/** The CPU time that one request needs of each part, as it was measured at one load. */
export interface DemandAtLoad {
  /** Whether a closed loop sent the load. Its client is another program than that of an open loop. */
  readonly isClosed: boolean
  /** CPU microseconds a request. */
  readonly micros: PerPart<number>
  /**
   * How hot each part was, from 0 to 1: the share of time in which its thread ran or, if that is more, in which the cores
   * ran. A thread that has slept costs more, because it is woken and its caches are cold, unless its core was busy.
   */
  readonly heat: PerPart<number>
}

/** The CPU time of a request in one part, by the heat of the part. */
export type Curve = readonly { readonly heat: number; readonly micros: number }[]

/** The curves of all parts, under a load of this kind. */
export function toCurves(demands: readonly DemandAtLoad[], isClosed: boolean): PerPart<Curve> {
  const sameClient = demands.filter(demand => demand.isClosed === isClosed)
  return forEachPart(part =>
    (part === 'clients' && sameClient.length > 0 ? sameClient : demands)
      .map(({ heat, micros }) => ({ heat: heat[part], micros: micros[part] }))
      .toSorted((one, other) => one.heat - other.heat),
  )
}

/** CPU microseconds at this heat: between two points by a straight line, beyond them as at the nearest. */
export function microsAt(curve: Curve, heat: number): number {
  const above = curve.findIndex(point => point.heat >= heat)
  const [low, high] = [curve[above - 1], curve[above]]
  if (!high) return curve.at(-1)?.micros ?? 0
  if (!low || high.heat === low.heat) return high.micros
  return low.micros + ((high.micros - low.micros) * (heat - low.heat)) / (high.heat - low.heat)
}
