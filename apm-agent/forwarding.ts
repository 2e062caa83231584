import type { ExportCounts } from './counts.ts'
import { ForwardQueue } from './forward-queue.ts'
import { otlpHeaders } from './otlp-headers.ts'

export const otlpPaths = ['/v1/traces', '/v1/metrics'] as const
export type OtlpPath = (typeof otlpPaths)[number]

/** What comes as OTLP on its way to the collector, by the path on which it came. */
export type Forwarding = Readonly<Record<OtlpPath, ForwardQueue>>

/** @param counts where is counted what the collector took, together with what this process exports itself */
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
