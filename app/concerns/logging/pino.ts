import { once } from 'node:events'
import pino from 'pino'
import { openLogFile } from '../../../lib/telemetry/log-file.ts'
import type { CreateLogSink } from './contract.ts'
import { writeUntilBroken } from './pino-sink.ts'

/**
 * pino in this process, writing to a file asynchronously, as its manual advises for production: 4 KiB at a time, and a
 * flush at the end.
 */
export const createLogSink: CreateLogSink = async options => {
  const { logFile } = options
  const dest = openLogFile(logFile)
  const destination = pino.destination({ dest, minLength: 4096, sync: false })
  await once(destination, 'ready')
  const { write, counts, isBroken } = writeUntilBroken(destination, options, ({ message }) =>
    process.stderr.write(`app: ${logFile} takes no more lines: ${message}\n`),
  )
  return {
    write,
    counts,
    async close() {
      const closed = once(destination, 'close')
      if (isBroken()) destination.destroy()
      else destination.end()
      await closed
    },
  }
}
