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
  const { values } = await delivered.get()
  const counts = targets.map(({ name }) => values.find(({ labels }) => labels.target === name)?.value ?? 0)
  return Math.min(...counts)
}

export type Metrics = ReturnType<typeof createMetrics>
