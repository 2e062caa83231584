import { duration, integer, text, url, words } from '../lib/cli/options.ts'
import { allowedHostsOption } from '../lib/http/guard.ts'

/** The socket to which the app sends its records. Both the app and apm-agent have this option. */
export const apmSocketOption = text({
  placeholder: 'FILE',
  default: 'run/apm-agent.sock',
  help: 'Unix socket on which apm-agent takes records',
})

/** The limit on records that apm-agent has not acknowledged, in MiB. */
export const agentMemoryMibBounds = { min: 1, max: 1024 } as const

export const agentOptions = {
  host: text({ placeholder: 'HOST', default: '127.0.0.1', help: 'address to listen on' }),
  port: integer({
    min: 0,
    max: 65535,
    default: '4318',
    help: 'port of the live page, of the OTLP/HTTP receiver and of /metrics; 0 takes a free one',
  }),
  allowedHosts: allowedHostsOption,
  apmSocket: apmSocketOption,
  collectorUrl: url({
    help: 'base URL of an OTLP/HTTP collector to which everything is exported (default: OTEL_EXPORTER_OTLP_ENDPOINT)',
  }),
  loggerTransportUrl: url({ help: 'base URL of logger-transport, for the delivered lines on the live page' }),
  note: words({ max: 200, help: 'note that the live page shows' }),
  exportIntervalMs: duration({
    minMs: 100,
    default: '10s',
    help: 'how often metrics are exported to the collector',
  }),
} as const
