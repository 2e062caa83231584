import { choice, duration, integer, toggle, url } from '../../lib/cli/options.ts'

/** The options of what operates the service: limits, overload, instances, faults. */
export const operationOptions = {
  listenFd: integer({
    min: 3,
    max: 1024,
    help: 'listen on this file descriptor, a bound socket, in place of --host and --port',
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
  pageMemoryMib: integer({
    min: 1,
    max: 4096,
    default: '128',
    help: 'memory for unfinished pages and for pages that clients have not yet received; beyond it /page answers 503',
  }),
  overload: choice({
    choices: ['refuse', 'none'],
    default: 'refuse',
    help: 'what happens beyond --max-wait: none admits every request, to show what that costs',
  }),
  unreadyMs: duration({
    default: '0ms',
    help: 'on a stop: how long /readyz answers 503 before the app accepts no more connections',
  }),
  instances: integer({
    min: 1,
    max: 64,
    default: '1',
    help: 'processes of the app that share its port; each has pools of its own',
  }),
  liveUrl: url({ help: 'the live page, to which the front page leads (default that of --otlp-url)' }),
  faults: toggle({ help: 'add fault switches to the admin server' }),
} as const
