import type { Values } from '../../lib/cli/options.ts'
import { ownFile } from '../../lib/os/own-place.ts'
import { openLogFile } from '../../lib/telemetry/log-file.ts'
import { DEFAULT_OTLP_URL, otlpUrl } from '../../lib/telemetry/otel-environment.ts'
import type { targetNames, transportOptions } from '../options.ts'
import type { Target } from './contract.ts'

type Options = Values<typeof transportOptions>

/** All targets by name. The library of a target is loaded only when the target is created. */
const targets: Readonly<Record<(typeof targetNames)[number], (options: Options) => Promise<Target>>> = {
  file: async ({ logFile, fileMib, keptFiles }) => {
    const file = openLogFile(logFile)
    await ownFile(file, 'logger-transport', '--log-file')
    return (await import('./file.ts')).createFileTarget({
      file,
      maxBytes: fileMib * 2 ** 20,
      kept: keptFiles,
    })
  },
  otlp: async ({ otlpUrl: baseUrl }) => {
    const url = otlpUrl('logs', baseUrl) ?? (otlpUrl('logs', DEFAULT_OTLP_URL) as string)
    return (await import('./otlp.ts')).createOtlpTarget(url)
  },
  stdout: async () => (await import('./stdout.ts')).createStdoutTarget(),
  terminal: async () => (await import('./terminal.ts')).createTerminalTarget(),
}

export const createTarget = (name: keyof typeof targets, options: Options): Promise<Target> =>
  targets[name](options)
