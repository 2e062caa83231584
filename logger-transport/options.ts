import { allowedHostsOption } from '../lib/guard.ts'
import { choices, duration, integer, text, url } from '../lib/options.ts'

export const targetNames = ['file', 'otlp', 'terminal'] as const

/** When it is told to stop: how long it goes on delivering what is there, and without a target taking anything. */
export const FINISH_LIMIT_MS = 15_000
export const STALLED_MS = 3000

export const transportOptions = {
  logDir: text({
    placeholder: 'DIR',
    default: 'logs/segments',
    help: 'directory with the segments of all writers',
  }),
  targets: choices({
    choices: targetNames,
    default: 'file',
    help: 'where lines are delivered, each on its own',
  }),
  logFile: text({ placeholder: 'FILE', default: 'logs/app.log', help: 'target file: where lines go' }),
  fileMib: integer({
    min: 1,
    max: 1_000_000,
    default: '64',
    help: 'target file: rotated at this size in MiB',
  }),
  keptFiles: integer({
    min: 1,
    max: 100_000,
    default: '5',
    help: 'target file: how many rotated ones are kept',
  }),
  otlpUrl: url({ default: 'http://127.0.0.1:4318', help: 'target otlp: base URL of an OTLP/HTTP receiver' }),
  silentAfterMs: duration({
    default: '60s',
    help: 'silence after which a writer on another machine, which cannot be asked whether it lives, is taken for dead',
  }),
  host: text({ placeholder: 'HOST', default: '127.0.0.1', help: 'address to listen on' }),
  port: integer({ min: 0, max: 65535, default: '9465', help: 'port of /metrics; 0 takes a free one' }),
  allowedHosts: allowedHostsOption,
} as const
