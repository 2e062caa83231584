import { agentMemoryMibBounds, apmSocketOption } from '../apm-agent/options.ts'
import {
  choice,
  duration,
  fraction,
  integer,
  names,
  origin,
  text,
  toggle,
  url,
  type Values,
} from '../lib/cli/options.ts'
import { logLevels } from '../lib/telemetry/log-line.ts'
import { poolBounds } from '../lib/threads/pool-bounds.ts'
import { diskMibBounds, memoryMibBounds } from '../logger-transport/main-thread/segment-bounds.ts'
import { natsOption, poolOptions } from '../workers/options.ts'
import { type Composition, concerns, forEachConcern, namesOf } from './concerns.ts'
import { findStep, lastStep, listedSteps, type Step, stepNames, steps } from './steps.ts'

/** The options that select a composition: a step, and for each concern an implementation that replaces the step's. */
export const compositionOptions = {
  step: {
    ...choice({
      choices: stepNames,
      default: lastStep.name,
      help: 'step whose composition runs, or its number',
    }),
    expected: `one of ${listedSteps}`,
    parse: (given: string) => findStep(given)?.name,
  },
  ...forEachConcern(concern =>
    choice({
      choices: namesOf(concern),
      help: `implementation of ${concern}, in place of the step's implementation`,
    }),
  ),
} as const

export const appOptions = {
  ...compositionOptions,
  host: text({ placeholder: 'HOST', default: '127.0.0.1', help: 'address of the public server' }),
  port: integer({ min: 0, max: 65535, default: '3000', help: 'public port; 0 takes a free one' }),
  listenFd: integer({
    min: 3,
    max: 1024,
    help: 'listen on this file descriptor, a bound socket, in place of --host and --port',
  }),
  adminPort: integer({ min: 0, max: 65535, default: '3002', help: 'port of the admin server, on loopback' }),
  ordersUrl: origin({ default: 'http://127.0.0.1:3001', help: 'the upstream microservice' }),
  ordersTimeoutMs: duration({
    default: '2s',
    help: 'time limit of an upstream call; half of --request-timeout at most',
  }),
  requestTimeoutMs: duration({
    default: '10s',
    help: 'time budget of a request: work that has not started by then does not start, and a late answer is 504',
  }),
  maxConnections: integer({
    min: 1,
    max: 100_000,
    default: '4096',
    help: 'open connections; beyond, new ones are closed. An idle one holds about 20 KB',
  }),
  maxWaitMs: duration({
    minMs: 1,
    default: '1s',
    help: 'a request that would have to wait longer for a worker or for upstream is refused with 503',
  }),
  overload: choice({
    choices: ['refuse', 'degrade', 'none'],
    default: 'refuse',
    help: 'what happens beyond --max-wait: degrade answers /demo without its CPU tasks and refuses the rest; none admits every request, to show what that costs',
  }),
  unreadyMs: duration({
    default: '0ms',
    help: 'on a stop: how long /readyz answers 503 before the app accepts no more connections',
  }),
  drainTimeoutMs: duration({ default: '10s', help: 'on a stop: how long requests in flight may take' }),
  instances: integer({
    min: 1,
    max: 64,
    default: '1',
    help: 'instances of the app that share its port; each has pools of its own',
  }),
  instancesAs: choice({
    choices: ['processes', 'threads'],
    default: 'processes',
    help: 'what an instance is: a process of node:cluster, or a thread of one process that listens itself',
  }),
  ...poolOptions,
  uvThreads: integer({
    min: 1,
    max: 1024,
    help: "size of libuv's pool, in which files, dns.lookup, zlib and key derivations run (default: UV_THREADPOOL_SIZE, or 4)",
  }),
  nats: {
    ...natsOption,
    help: 'compute nats: server of NATS over which tasks go to workers (default: NATS_URL, or nats://127.0.0.1:4222); credentials as for the command nats',
  },
  localFirst: toggle({ help: 'compute nats: idle threads of the app take tasks first, workers the rest' }),
  partTimeoutMs: duration({
    ...poolBounds.partTimeoutMs,
    default: '2s',
    help: 'time limit of a page part, then its fallback is shown',
  }),
  pageMemoryMib: integer({
    min: 1,
    max: 4096,
    default: '128',
    help: 'memory for unfinished pages and for pages that clients have not yet received; beyond it /page answers 503',
  }),
  logFile: text({
    placeholder: 'FILE',
    default: 'logs/app.log',
    help: 'file to which log lines are delivered',
  }),
  logDir: text({
    placeholder: 'DIR',
    default: 'logs/segments',
    help: 'logging sidecar: directory of its segments',
  }),
  logTo: choice({
    choices: ['segments', 'stdout'],
    default: 'segments',
    help: 'logging sidecar: where lines go; stdout is for a pipe',
  }),
  logMemoryMib: integer({
    ...memoryMibBounds,
    default: '16',
    help: 'logging sidecar: memory for lines that cannot be written yet; further lines are dropped',
  }),
  logDiskMib: integer({
    ...diskMibBounds,
    default: '256',
    help: 'logging sidecar: disk space for undelivered segments',
  }),
  logRedact: names({ default: 'authorization,cookie', help: 'fields whose values are never logged' }),
  logLevel: choice({ choices: logLevels, default: 'info', help: 'least important level that is logged' }),
  otlpUrl: url({
    help: 'OTLP/HTTP receiver of metrics and spans (default: OTEL_EXPORTER_OTLP_ENDPOINT, or http://127.0.0.1:4318)',
  }),
  liveUrl: url({ help: 'the live page, to which the front page leads (default that of --otlp-url)' }),
  apmSocket: apmSocketOption,
  apmMemoryMib: integer({
    ...agentMemoryMibBounds,
    default: '4',
    help: 'apm sidecar: memory for records that apm-agent has not acknowledged; further records are dropped',
  }),
  traceRatio: fraction({
    help: 'share of the traces that begin in the app and are sampled (default: OTEL_TRACES_SAMPLER, or all)',
  }),
  faults: toggle({ help: 'add fault switches to the admin server' }),
  faultToken: {
    ...text({
      placeholder: 'TOKEN',
      help: 'token that a request for a fault must have (default: random, and in a file beside --apm-socket)',
    }),
    isSecret: true,
  },
  metricIntervalMs: duration({ minMs: 100, default: '10s', help: 'how often metrics are exported' }),
} as const

export type AppConfig = Values<typeof appOptions>

/** The implementation of every concern, as the options select it. */
export function composeFrom(values: Values<typeof compositionOptions>): Composition {
  const { composition } = steps.find(({ name }) => name === values.step) as Step
  const chosen = concerns.map(concern => [concern, values[concern] ?? composition[concern]])
  return Object.fromEntries(chosen)
}
