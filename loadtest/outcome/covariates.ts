import { type Concern, concerns } from '../../app/concerns.ts'
import type { ConstantWork } from '../generator/protocol.ts'
import type { Row } from '../sample/rows.ts'
import type { Metric } from './metrics.ts'

/**
 * The concerns whose implementations change what the work consists of. Between two rows that differ in one of these, the
 * work is not constant: `orders` answers JSON or Protobuf, and a worker may also make the answer.
 */
const decidedBy: Readonly<Record<ConstantWork, readonly Concern[]>> = {
  orders: ['serialization'],
  generator: [],
  tasks: ['compute', 'serialization'],
}

/** The metrics that follow the speed of the machine, each with the work that is no part of it. */
const variates: Partial<Record<Metric, readonly ConstantWork[]>> = {
  mainThreadMicros: ['orders', 'generator', 'tasks'],
  totalMicros: ['orders', 'generator'],
}

/**
 * The constant work that may adjust the ratio of two rows by a metric: nothing in which the rows differ decides what it consists of.
 * Whether its cost depends on the row nevertheless is tested with the samples.
 */
export function findCovariates(metric: Metric, own: Row, other: Row): ConstantWork[] {
  if (own.ratePerSecond !== other.ratePerSecond || own.isFloor !== other.isFloor) return []
  const changed = concerns.filter(concern => own.composition[concern] !== other.composition[concern])
  const sameThreads = JSON.stringify(threadsOf(own)) === JSON.stringify(threadsOf(other))
  return (variates[metric] ?? []).filter(
    work => !decidedBy[work].some(concern => changed.includes(concern)) && (work !== 'tasks' || sameThreads),
  )
}

/** Everything but the composition that decides how threads work. */
const threadsOf = ({ app, node, nodeFlags }: Row) => [
  app?.threads,
  app?.instances,
  app?.workerPriority,
  node,
  nodeFlags,
]
