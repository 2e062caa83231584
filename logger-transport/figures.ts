import type { Figure } from '../lib/telemetry/prometheus.ts'
import type { Metrics, TargetCounts } from './metrics.ts'

/** The counts of a transport, for Prometheus. */
export async function figuresOf({ targets, quarantined, readLags }: Metrics): Promise<Figure[]> {
  const figure = (name: string, help: string, values: Figure['values']): Figure => ({
    name: `logger_transport_${name}`,
    help,
    values,
  })
  return [
    ...ofTargets.map(([name, help, read]) => {
      const values = [...targets].map(([target, counts]) => [{ target }, read(counts)] as const)
      return figure(name, help, values)
    }),
    figure('files_quarantined_total', 'Files that could not be read and were set aside', [[{}, quarantined]]),
    figure(
      'lag_bytes',
      'Bytes in segments that are not yet delivered',
      [...(await readLags())].map(([target, bytes]) => [{ target }, bytes]),
    ),
  ]
}

const BEFORE = 'includes those of earlier transports on this directory'

const ofTargets: readonly (readonly [name: string, help: string, read: (counts: TargetCounts) => number])[] =
  [
    ['lines_read_total', 'Lines read from segments or the pipe', ({ read }) => read],
    [
      'lines_delivered_total',
      `Lines that the target has received; ${BEFORE}`,
      ({ lines }) => lines.delivered,
    ],
    [
      'lines_dropped_total',
      `Lines that the target never gets, because too many waited or someone removed them; ${BEFORE}`,
      ({ lines }) => lines.dropped,
    ],
    [
      'lines_rejected_total',
      `Lines that the target refused for good, kept in a dead-letter file; ${BEFORE}`,
      ({ lines }) => lines.rejected,
    ],
    ['lines_malformed_total', 'Lines that are no JSON object, delivered as text', each => each.malformed],
    ['delivery_retries_total', 'Deliveries that failed and were tried again', ({ retries }) => retries],
  ]
