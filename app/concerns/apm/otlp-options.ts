import { url, type Values } from '../../../lib/cli/options.ts'
import { DEFAULT_OTLP_URL, otlpUrl, type Signal } from '../../../lib/telemetry/otel-environment.ts'

export const otlpOptions = {
  otlpUrl: url({
    help: 'OTLP/HTTP receiver of metrics and spans (default: OTEL_EXPORTER_OTLP_ENDPOINT, or http://127.0.0.1:4318)',
  }),
} as const

export type OtlpValues = Values<typeof otlpOptions>

/** The URL of the OTLP/HTTP receiver to which this process exports a signal. */
export const receiverOf = (signal: Signal, { otlpUrl: given }: OtlpValues): string =>
  otlpUrl(signal, given) ?? (otlpUrl(signal, DEFAULT_OTLP_URL) as string)
