import { parseKeyPairsIntoRecord } from '@opentelemetry/core'

/** Headers for a collector, as OpenTelemetry's exporters have them: those of a signal go before those of all. */
export const otlpHeaders = (
  signal: 'TRACES' | 'METRICS',
  env: NodeJS.ProcessEnv = process.env,
): Record<string, string> => ({
  ...parseKeyPairsIntoRecord(env.OTEL_EXPORTER_OTLP_HEADERS),
  ...parseKeyPairsIntoRecord(env[`OTEL_EXPORTER_OTLP_${signal}_HEADERS`]),
})
