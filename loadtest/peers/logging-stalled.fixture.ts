import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { CreateLogSink, LogSink } from '../../app/concerns/logging/contract.ts'
import { bytesToMiB } from '../../lib/units.ts'

/** Writes 32 MiB of lines with an implementation of logging, and tells how many it dropped, and how much memory it took. */
const [name, logFile = '', logDir = ''] = process.argv.slice(2)
const TURNS = 512
const LINES_A_TURN = 64
/** A text of its own for each line, so that one that waits in an object takes memory, too. */
const newText = () => Buffer.alloc(1000, 'x').toString('latin1')

// The app refuses a pipe as its log file, because a pipe may be stalled. Here it has to be one.
mock.module('../../lib/telemetry/log-file.ts', {
  namedExports: {
    openLogFile: (file: string) => file,
    OWNER_ONLY: 0o600,
    OWNER_ONLY_DIRECTORY: 0o700,
  },
})
const { createLogging } = await import('../../app/concerns/logging/logging.ts')
const { implementations } = await import('../../app/concerns.ts')
const { resource } = await import('../../app/context.ts')
await import('./register.ts')
const modules: Readonly<
  Record<string, () => Promise<{ createLogSink: CreateLogSink<LogSink, Record<string, unknown>> }>>
> = implementations.logging as never
const { createLogSink } = await (modules[name as string] as (typeof modules)[string])()
const { logger, counts } = await createLogging(createLogSink, {
  ...{ logFile, logDir, logLevel: 'info', logRedact: [], resource },
  ...{ logMemoryMib: 1, logDiskMib: 16 },
})
const before = process.memoryUsage.rss()
process.send?.('begun')
for (let turns = 0; turns < TURNS; turns++) {
  for (let line = 0; line < LINES_A_TURN; line++) logger.info('a line', { text: newText() })
  await turn()
}
process.send?.({ dropped: counts().dropped, grownMiB: bytesToMiB(process.memoryUsage.rss() - before) })
