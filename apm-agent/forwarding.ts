import { otlpHeaders } from '../lib/telemetry/otel-environment.ts'
import type { CollectorUrls } from './collector-urls.ts'
import type { ExportCounts } from './counts.ts'
import { ForwardQueue } from './forward-queue.ts'
import type { OtlpPath } from './take-otlp.ts'

/** The queues of OTLP bodies to the collector, by the path on which the bodies came. */
export type Forwarding = Readonly<Partial<Record<OtlpPath, ForwardQueue>>>

/**
 * Creates the queues to the collector. A signal without a URL is not forwarded.
 * @param counts the counts of exported and dropped items; exports of this process itself are counted there too
 */
export const createForwarding = (
  { traces, metrics }: CollectorUrls,
  counts: Readonly<Record<'spans' | 'metricPoints', ExportCounts>>,
): Forwarding => ({
  ...(traces && {
    '/v1/traces': new ForwardQueue({ url: traces, headers: otlpHeaders('traces'), counts: counts.spans }),
  }),
  ...(metrics && {
    '/v1/metrics': new ForwardQueue({
      url: metrics,
      headers: otlpHeaders('metrics'),
      counts: counts.metricPoints,
    }),
  }),
})
