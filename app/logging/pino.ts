import { once } from 'node:events'
import pino from 'pino'
import type { CreateLogSink } from './contract.ts'
import { pinoOptions } from './pino-options.ts'

/** pino in process, to a file, asynchronously as its manual advises for production: 4 KiB at a time, flushed at the end. */
export const createLogSink: CreateLogSink = async ({ logFile, resource, lineFields }) => {
  const destination = pino.destination({ dest: logFile, mkdir: true, minLength: 4096, sync: false })
  await once(destination, 'ready')
  const logger = pino({ ...pinoOptions, base: resource, mixin: lineFields }, destination)
  return {
    write: (level, message, fields) => logger[level](fields, message),
    dropped: () => 0,
    async close() {
      const closed = once(destination, 'close')
      destination.end()
      await closed
    },
  }
}
