import type { Figure } from '../lib/telemetry/prometheus.ts'
import type { Metrics, TargetCounts } from './metrics.ts'

const BEFORE = 'includes those of earlier transports on this directory'

const ofTargets: readonly (readonly [name: string, help: string, read: (counts: TargetCounts) => number])[] =
  [
    ['lines_read_total', 'Lines read from segments', each => each.read],
    ['lines_delivered_total', `Lines that the target has received; ${BEFORE}`, each => each.lines.delivered],
    [
      'lines_dropped_total',
      `Lines that the target never gets, because too many waited or someone removed them; ${BEFORE}`,
      each => each.lines.dropped,
    ],
    [
      'lines_rejected_total',
      `Lines that the target refused for good, kept in a dead-letter file; ${BEFORE}`,
      each => each.lines.rejected,
    ],
    ['lines_malformed_total', 'Lines that are no JSON object, delivered as text', each => each.malformed],
  ]

/** The counts of a transport, for Prometheus. */
export async function figuresOf({ targets, quarantined, readLags }: Metrics): Promise<Figure[]> {
  const perTarget = (values: Iterable<readonly [target: string, value: number]>) =>
    [...values].map(([target, value]) => [{ target }, value] as const)
  const lags = await readLags()
  const figures: readonly (readonly [name: string, help: string, values: Figure['values']])[] = [
    ...ofTargets.map(([name, help, read]) => {
      const counts = [...targets].map(([target, each]) => [target, read(each)] as const)
      return [name, help, perTarget(counts)] as const
    }),
    ['files_quarantined_total', 'Files that could not be read and were set aside', [[{}, quarantined]]],
    ['lag_bytes', 'Bytes in segments that are not yet delivered', perTarget(lags)],
  ]
  return figures.map(([name, help, values]) => ({ name: `logger_transport_${name}`, help, values }))
}
