import { once } from 'node:events'
import winston from 'winston'
import type { CreateLogging } from './contract.ts'
import { countLines } from './counted.ts'

/** winston in process, to a file, as its manual shows: JSON format, File transport. */
export const createLogging: CreateLogging = async ({ file, level, resource, requestFields }) => {
  const context = winston.format(line => Object.assign(line, { time: Date.now() }, requestFields()))
  const transport = new winston.transports.File({ filename: file })
  const winstonLogger = winston.createLogger({
    level,
    defaultMeta: resource,
    format: winston.format.combine(context(), winston.format.json()),
    transports: [transport],
  })
  // As one object: given apart, winston takes a % in the message for a placeholder, and the fields for its values.
  const { logger, emitted } = countLines(level, (name, message, fields) =>
    winstonLogger.log({ ...fields, level: name, message }),
  )
  return {
    logger,
    counts: () => ({ emitted: emitted(), dropped: 0 }),
    async close() {
      // winston ends its transport when its own input has ended, though lines may still wait in between, and then
      // fails for them ("write after end"); so they are awaited, and the transport is ended here.
      while (winstonLogger.writableLength + winstonLogger.readableLength + transport.writableLength > 0)
        await turn()
      const finished = once(transport, 'finish')
      transport.end()
      await finished
    },
  }
}

const turn = () => new Promise(resolve => setImmediate(resolve))
