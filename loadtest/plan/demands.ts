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

/** A value for each part. */
export type PerPart<Value> = Readonly<Record<Part, Value>>

export const forEachPart = <Value>(make: (part: Part) => Value): PerPart<Value> => record(partNames, make)

/** The CPU time that one request needs of each part, as it was measured at one load. */
export interface DemandAtLoad {
  /** CPU microseconds a request. */
  readonly micros: PerPart<number>
  /**
   * How hot each part was, from 0 to 1: the share of time in which its thread ran or, if that is more, in which the cores
   * ran. A thread that has slept costs more, because it is woken and its caches are cold, unless its core was busy.
   */
  readonly heat: PerPart<number>
}

/**
 * CPU microseconds of one request in a part that is this hot: between two measured loads by a straight line, beyond them
 * as at the nearest.
 */
export function microsAt(demands: readonly DemandAtLoad[], part: Part, heat: number): number {
  const points = demands
    .map(demand => ({ heat: demand.heat[part], micros: demand.micros[part] }))
    .toSorted((one, other) => one.heat - other.heat)
  const above = points.findIndex(point => point.heat >= heat)
  const [low, high] = [points[above - 1], points[above]]
  if (!high) return points.at(-1)?.micros ?? 0
  if (!low || high.heat === low.heat) return high.micros
  return low.micros + ((high.micros - low.micros) * (heat - low.heat)) / (high.heat - low.heat)
}
