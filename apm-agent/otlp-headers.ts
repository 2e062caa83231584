import { parseKeyPairsIntoRecord } from '@opentelemetry/core'

/**
 * Headers for a collector, by the same variables as in OpenTelemetry's exporters: those of a signal override the
 * general ones.
 */
export const otlpHeaders = (
  signal: 'TRACES' | 'METRICS',
  env: NodeJS.ProcessEnv = process.env,
): Record<string, string> => ({
  ...parseKeyPairsIntoRecord(env.OTEL_EXPORTER_OTLP_HEADERS),
  ...parseKeyPairsIntoRecord(env[`OTEL_EXPORTER_OTLP_${signal}_HEADERS`]),
})
