import { once } from 'node:events'
import pino from 'pino'
import type { CreateLogging } from './contract.ts'
import { countLines } from './counted.ts'

/** pino in process, to a file, asynchronously as its manual advises for production: 4 KiB at a time, flushed at the end. */
export const createLogging: CreateLogging = async ({ file, level, resource, requestFields }) => {
  const destination = pino.destination({ dest: file, mkdir: true, minLength: 4096, sync: false })
  await once(destination, 'ready')
  const pinoLogger = pino(
    {
      level,
      base: resource,
      messageKey: 'message',
      formatters: { level: label => ({ level: label }) },
      mixin: requestFields,
    },
    destination,
  )
  const { logger, emitted } = countLines(level, (name, message, fields) =>
    pinoLogger[name](fields ?? {}, message),
  )
  return {
    logger,
    counts: () => ({ emitted: emitted(), dropped: 0 }),
    async close() {
      const closed = once(destination, 'close')
      destination.end()
      await closed
    },
  }
}
