import { Counter, Gauge, Registry } from 'prom-client'
import type { Target } from './targets/contract.ts'

/** What the transport says of itself at /metrics. */
export function createMetrics() {
  const registry = new Registry()
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name: `logger_transport_${name}`, help, labelNames, registers: [registry] })
  return {
    registry,
    read: counter('lines_read_total', 'Lines read from segments or the pipe', ['target']),
    delivered: counter(
      'lines_delivered_total',
      'Lines that their target has, also from earlier transports on this directory',
      ['target'],
    ),
    malformed: counter('lines_malformed_total', 'Lines that were no JSON object, delivered as text', [
      'target',
    ]),
    retries: counter('delivery_retries_total', 'Deliveries that failed and were tried again', ['target']),
    dropped: counter('lines_dropped_total', 'Lines that were given up at the end', ['target']),
    lost: counter('lines_lost_total', 'Lines whose segments someone removed before they were delivered', [
      'target',
    ]),
    lagBytes: new Gauge({
      name: 'logger_transport_lag_bytes',
      help: 'Bytes in segments that were not yet delivered',
      labelNames: ['target'],
      registers: [registry],
    }),
  }
}

/** How many lines every target has: those of the target that has fewest. */
export async function countDelivered({ delivered }: Metrics, targets: readonly Target[]): Promise<number> {
  return Math.min(...(await countByTarget(delivered, targets)))
}

/** How many lines that were removed before they were read: those of the target that misses most. */
export async function countLost({ lost }: Metrics, targets: readonly Target[]): Promise<number> {
  return Math.max(...(await countByTarget(lost, targets)))
}

async function countByTarget(counter: Counter, targets: readonly Target[]): Promise<number[]> {
  const { values } = await counter.get()
  return targets.map(({ name }) => values.find(({ labels }) => labels.target === name)?.value ?? 0)
}

export type Metrics = ReturnType<typeof createMetrics>
