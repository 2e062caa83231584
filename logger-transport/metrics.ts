import { record } from '../lib/record.ts'
import { Counter, Gauge, Registry } from '../lib/telemetry/prometheus.ts'
import type { Target } from './targets/contract.ts'

/** Creates the metrics that the transport serves at /metrics. */
export function createMetrics() {
  const registry = new Registry()
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name: `logger_transport_${name}`, help, labelNames, registers: [registry] })
  return {
    registry,
    rejected: counter(
      'lines_rejected_total',
      'Lines that the target refused for good, kept in a dead-letter file; includes those of earlier transports on this directory',
      ['target'],
    ),
    read: counter('lines_read_total', 'Lines read from segments or the pipe', ['target']),
    delivered: counter(
      'lines_delivered_total',
      'Lines that the target has received, including those from earlier transports on this directory',
      ['target'],
    ),
    malformed: counter('lines_malformed_total', 'Lines that are no JSON object, delivered as text', [
      'target',
    ]),
    retries: counter('delivery_retries_total', 'Deliveries that failed and were tried again', ['target']),
    quarantined: counter('files_quarantined_total', 'Files that could not be read and were set aside'),
    dropped: counter(
      'lines_dropped_total',
      'Lines that the target never gets, because too many waited or someone removed them; includes those of earlier transports on this directory',
      ['target'],
    ),
  }
}

/**
 * Adds a gauge of the bytes that wait for each target. They are measured whenever the metrics are read.
 * @param read returns the number of waiting bytes by the name of the target
 */
export function measureLag({ registry }: Metrics, read: () => Promise<ReadonlyMap<string, number>>): void {
  new Gauge({
    name: 'logger_transport_lag_bytes',
    help: 'Bytes in segments that are not yet delivered',
    labelNames: ['target'],
    registers: [registry],
    async collect() {
      for (const [target, bytes] of await read()) this.set({ target }, bytes)
    },
  })
}

/** What becomes of a line, for the ledger. */
export const lineCounts = ['delivered', 'dropped', 'rejected'] as const
export type LineCounts = Record<(typeof lineCounts)[number], number>

/**
 * Counts lines for the ledger. A line is delivered when every target has it, and dropped or rejected when one target
 * never gets it. So `delivered` is the smallest number of lines that any target has; `dropped` and `rejected` are those
 * of the target that lacks most lines. When no line waits any more, all three numbers belong to the same target and add
 * up to the lines that were written.
 */
export async function countLines(metrics: Metrics, targets: readonly Target[]): Promise<LineCounts> {
  const found = await Promise.all(lineCounts.map(async key => (await metrics[key].get()).values))
  const counts = targets.map(({ name }) =>
    record(lineCounts, key => {
      const values = found[lineCounts.indexOf(key)] ?? []
      return values.find(({ labels }) => labels.target === name)?.value ?? 0
    }),
  )
  const [most = record(lineCounts, () => 0)] = counts.toSorted(
    (a, b) => b.dropped + b.rejected - a.dropped - a.rejected,
  )
  return { ...most, delivered: Math.min(...counts.map(({ delivered }) => delivered)) }
}

export type Metrics = ReturnType<typeof createMetrics>
