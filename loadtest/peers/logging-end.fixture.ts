import type { CreateLogSink, LogSink } from '../../app/concerns/logging/contract.ts'
import { createLogging } from '../../app/concerns/logging/logging.ts'
import { implementations } from '../../app/concerns.ts'
import { resource } from '../../app/context.ts'
import './register.ts'

/** Writes so many lines with an implementation of logging, and ends its process before the event loop turns. */
const [name, how, lines, logFile = '', logDir = ''] = process.argv.slice(2)
const modules: Readonly<
  Record<string, () => Promise<{ createLogSink: CreateLogSink<LogSink, Record<string, unknown>> }>>
> = implementations.logging as never
const { createLogSink } = await (modules[name as string] as (typeof modules)[string])()
const { logger } = await createLogging(createLogSink, {
  logFile,
  logDir,
  logLevel: 'info',
  logRedact: [],
  resource,
  logMemoryMib: 16,
  logDiskMib: 256,
})
for (let line = 1; line <= Number(lines); line++) logger.info('a line', { line })
if (how === 'SIGKILL') process.kill(process.pid, how)
process.exit()
