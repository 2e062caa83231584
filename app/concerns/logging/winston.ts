import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import winston from 'winston'
import { claimLogFile } from '../../../lib/log-file.ts'
import type { CreateLogSink } from './contract.ts'

const CLOSE_LIMIT_MS = 5000

/** winston in process, to a file, as its manual shows: JSON format, File transport. */
export const createLogSink: CreateLogSink = async ({ logFile, resource, lineFields }) => {
  const transport = new winston.transports.File({ filename: claimLogFile(logFile) })
  const logger = winston.createLogger({
    level: 'debug',
    defaultMeta: resource,
    format: winston.format.json(),
    transports: [transport],
  })
  return {
    // As one object: given apart, winston takes a % in the message for a placeholder, and the fields for its values.
    // Complete: while its file is slow, winston formats a line later, when another request is running.
    write: (level, message, fields) =>
      logger.log({ ...fields, ...lineFields(), time: Date.now(), level, message }),
    dropped: () => 0,
    async close() {
      // winston ends its transport when its own input has ended, though lines may still wait in between, and then
      // fails for them ("write after end"); so they are awaited, and the transport is ended here.
      const giveUp = AbortSignal.timeout(CLOSE_LIMIT_MS)
      const waiting = () => logger.writableLength + logger.readableLength + transport.writableLength
      while (waiting() > 0 && !giveUp.aborted) await delay(1)
      const finished = once(transport, 'finish', { signal: giveUp })
      transport.end()
      await finished.catch(() => process.stderr.write(`app: ${logFile} takes no lines; some are lost\n`))
    },
  }
}
