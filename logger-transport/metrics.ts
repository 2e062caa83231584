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
    dropped: counter(
      'lines_dropped_total',
      'Lines that their target never gets, since too many waited or someone removed them; also of earlier transports on this directory',
      ['target'],
    ),
  }
}

/** Measures, whenever it is asked for, how much waits for each target. @param read bytes by the name of the target */
export function measureLag({ registry }: Metrics, read: () => Promise<ReadonlyMap<string, number>>): void {
  new Gauge({
    name: 'logger_transport_lag_bytes',
    help: 'Bytes in segments that were not yet delivered',
    labelNames: ['target'],
    registers: [registry],
    async collect() {
      for (const [target, bytes] of await read()) this.set({ target }, bytes)
    },
  })
}

/**
 * For the ledger: a line is delivered when every target has it, and dropped when one never gets it. So the one number is
 * that of the target that has fewest, the other that of the target that dropped most; once nothing waits any more this
 * is the same target, and both add up to the lines that were written.
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
