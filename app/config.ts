import { choice, duration, fraction, integer, names, origin, text, type Values } from '../lib/cli/options.ts'
import { logLevels } from '../lib/telemetry/logger.ts'
import { poolOptions } from '../workers/options.ts'
import { otlpOptions } from './concerns/apm/otlp-options.ts'
import { recordOptions } from './concerns/apm/record-options.ts'
import { segmentOptions } from './concerns/logging/segment-options.ts'
import { compositionOptions, operationOptions } from './server/options.ts'

/** The options of the app: its own, and those that the implementations bring. */
export const appOptions = {
  ...compositionOptions,
  host: text({ placeholder: 'HOST', default: '127.0.0.1', help: 'address of the public server' }),
  port: integer({ min: 0, max: 65535, default: '3000', help: 'public port; 0 takes a free one' }),
  adminPort: integer({ min: 0, max: 65535, default: '3002', help: 'port of the admin server, on loopback' }),
  requestTimeoutMs: duration({
    default: '10s',
    help: 'time budget of a request: work that has not started by then does not start',
  }),
  drainTimeoutMs: duration({ default: '10s', help: 'on a stop: how long requests in flight may take' }),
  ordersUrl: origin({ default: 'http://127.0.0.1:3001', help: 'the upstream microservice' }),
  ordersTimeoutMs: duration({
    default: '2s',
    help: 'time limit of an upstream call; half of --request-timeout at most',
  }),
  ...operationOptions,
  ...poolOptions,
  partTimeoutMs: duration({
    minMs: 10,
    default: '2s',
    help: 'time limit of a page part, then its fallback is shown',
  }),
  logFile: text({
    placeholder: 'FILE',
    default: 'logs/app.log',
    help: 'file to which log lines are delivered',
  }),
  logRedact: names({ default: 'authorization,cookie', help: 'fields whose values are never logged' }),
  logLevel: choice({ choices: logLevels, default: 'info', help: 'least important level that is logged' }),
  ...segmentOptions,
  ...otlpOptions,
  ...recordOptions,
  traceRatio: fraction({
    help: 'share of the traces that begin in the app and are sampled (default: OTEL_TRACES_SAMPLER, or all)',
  }),
  metricIntervalMs: duration({ minMs: 100, default: '10s', help: 'how often metrics are exported' }),
} as const

export type AppConfig = Values<typeof appOptions>
