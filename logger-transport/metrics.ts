import { Counter, Gauge, Registry } from '../lib/prometheus.ts'
import type { Target } from './targets/contract.ts'

/** Creates the metrics that the transport serves at /metrics. */
export function createMetrics() {
  const registry = new Registry()
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name: `logger_transport_${name}`, help, labelNames, registers: [registry] })
  return {
    registry,
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

/**
 * Counts lines for the ledger. A line is delivered when every target has it, and dropped when one target never gets it.
 * So `delivered` is the smallest number of lines that any target has, and `dropped` is the largest number that any
 * target dropped. When no line waits any more, both numbers belong to the same target and add up to the lines that were
 * written.
 */
export async function countLines(
  { delivered, dropped }: Metrics,
  targets: readonly Target[],
): Promise<{ delivered: number; dropped: number }> {
  const counts = async (counter: Counter) => {
    const { values } = await counter.get()
    return targets.map(({ name }) => values.find(({ labels }) => labels.target === name)?.value ?? 0)
  }
  return {
    delivered: Math.min(...(await counts(delivered))),
    dropped: Math.max(...(await counts(dropped))),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
