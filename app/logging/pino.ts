import { once } from 'node:events'
import pino from 'pino'
import type { CreateLogSink } from './contract.ts'
import { claimLogFile } from './log-file.ts'
import { pinoOptions } from './pino-options.ts'

/** pino in process, to a file, asynchronously as its manual advises for production: 4 KiB at a time, flushed at the end. */
export const createLogSink: CreateLogSink = async ({ logFile, resource, lineFields }) => {
  const destination = pino.destination({ dest: claimLogFile(logFile), minLength: 4096, sync: false })
  await once(destination, 'ready')
  let dropped = 0
  let isBroken = false
  destination.on('error', (error: Error) => {
    if (!isBroken) process.stderr.write(`app: ${logFile} takes no more lines: ${error.message}\n`)
    isBroken = true
  })
  const logger = pino({ ...pinoOptions, base: resource, mixin: lineFields }, destination)
  return {
    write(level, message, fields) {
      if (isBroken) dropped++
      else logger[level](fields, message)
    },
    dropped: () => dropped,
    async close() {
      const closed = once(destination, 'close')
      if (isBroken) destination.destroy()
      else destination.end()
      await closed
    },
  }
}
