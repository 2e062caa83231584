import type { ExportCounts } from './counts.ts'
import { ForwardQueue } from './forward-queue.ts'
import { otlpHeaders } from './otlp-headers.ts'

export const otlpPaths = ['/v1/traces', '/v1/metrics'] as const
export type OtlpPath = (typeof otlpPaths)[number]

/** The queues of OTLP bodies to the collector, by the path on which the bodies came. */
export type Forwarding = Readonly<Record<OtlpPath, ForwardQueue>>

/**
 * Creates the queues to the collector at `url`.
 * @param counts the counts of exported and dropped items; exports of this process itself are counted there too
 */
export const createForwarding = (
  url: string,
  counts: Readonly<Record<'spans' | 'metricPoints', ExportCounts>>,
): Forwarding => ({
  '/v1/traces': new ForwardQueue({
    url: `${url}/v1/traces`,
    headers: otlpHeaders('TRACES'),
    counts: counts.spans,
  }),
  '/v1/metrics': new ForwardQueue({
    url: `${url}/v1/metrics`,
    headers: otlpHeaders('METRICS'),
    counts: counts.metricPoints,
  }),
})
