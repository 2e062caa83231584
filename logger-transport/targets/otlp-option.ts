import { url } from '../../lib/cli/options.ts'

export const otlpOption = url({
  help: 'target otlp: base URL of an OTLP/HTTP receiver (default: OTEL_EXPORTER_OTLP_ENDPOINT, or http://127.0.0.1:4318)',
})
