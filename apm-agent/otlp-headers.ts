import { parseKeyPairsIntoRecord } from '@opentelemetry/core'

/**
 * Returns the headers of requests to a collector. They are read from the same environment variables as in
 * OpenTelemetry's exporters; the variable of a signal overrides the general one.
 */
export const otlpHeaders = (
  signal: 'TRACES' | 'METRICS' | 'LOGS',
  env: NodeJS.ProcessEnv = process.env,
): Record<string, string> => ({
  ...parseKeyPairsIntoRecord(env.OTEL_EXPORTER_OTLP_HEADERS),
  ...parseKeyPairsIntoRecord(env[`OTEL_EXPORTER_OTLP_${signal}_HEADERS`]),
})
