import { choices, integer, text, type Values } from '../lib/cli/options.ts'
import { allowedHostsOption } from '../lib/http/guard.ts'
import type { Target } from './targets/contract.ts'
import { otlpOption } from './targets/otlp-option.ts'

/** What creates each target, by its name. The library of a target is loaded only when the target is created. */
const targets = {
  file: async () => (await import('./targets/file.ts')).openFileTarget,
  otlp: async () => (await import('./targets/otlp.ts')).openOtlpTarget,
  stdout: async () => (await import('./targets/stdout.ts')).createStdoutTarget,
}
type TargetName = keyof typeof targets

export async function createTarget(
  name: TargetName,
  options: Values<typeof transportOptions>,
): Promise<Target> {
  const create = await targets[name]()
  return create(options)
}

/**
 * Time limits after the transport is told to stop. It delivers the remaining lines for at most `FINISH_LIMIT_MS`, and
 * gives up a target that takes nothing for `STALLED_MS`.
 */
export const FINISH_LIMIT_MS = 15_000
export const STALLED_MS = 3000

export const transportOptions = {
  logDir: text({
    placeholder: 'DIR',
    default: 'logs/segments',
    help: 'directory with the segments of all writers',
  }),
  targets: choices({
    choices: Object.keys(targets) as TargetName[],
    default: 'file',
    help: 'targets of log lines; each gets them at its own pace',
  }),
  logFile: text({ placeholder: 'FILE', default: 'logs/app.log', help: 'target file: path of the file' }),
  fileMib: integer({
    min: 1,
    max: 1_000_000,
    default: '64',
    help: 'target file: size in MiB at which the file is rotated',
  }),
  keptFiles: integer({
    min: 1,
    max: 100_000,
    default: '5',
    help: 'target file: how many rotated files are kept',
  }),
  otlpUrl: otlpOption,
  host: text({ placeholder: 'HOST', default: '127.0.0.1', help: 'address to listen on' }),
  port: integer({ min: 0, max: 65535, default: '9465', help: 'port of /metrics; 0 takes a free port' }),
  allowedHosts: allowedHostsOption,
} as const
