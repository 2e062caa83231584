import type { Concern } from '../../app/concerns.ts'
import type { ConstantWork } from '../generator/protocol.ts'
import type { Row } from '../sample/rows.ts'
import type { Metric } from './metrics.ts'

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
  const [deciding, others] = [decideWork(own), decideWork(other)]
  return (variates[metric] ?? []).filter(
    work => JSON.stringify(deciding[work]) === JSON.stringify(others[work]),
  )
}

/** Everything about a row that decides what each work consists of. */
function decideWork({ composition, app, node, nodeFlags }: Row): Record<ConstantWork, readonly unknown[]> {
  const { compute, serialization, logging, apm, rendering, upstream }: Readonly<Record<Concern, string>> =
    composition
  const threadsFetch = upstream === 'threads'
  const isTraced = apm !== 'none'
  return {
    // It answers JSON or Protobuf. The main thread and threads send different requests, both with the trace context.
    orders: [serialization, isTraced, upstream, threadsFetch && [compute, rendering]],
    generator: [],
    // A thread that fetches also decodes and encodes; for the sidecar it formats the log lines, for others it sends them back.
    tasks: [
      ...[compute, serialization, isTraced, upstream, threadsFetch && logging === 'sidecar'],
      ...[app?.threads, app?.instances, app?.workerPriority, node, nodeFlags],
    ],
  }
}
