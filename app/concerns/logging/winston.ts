import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import winston from 'winston'
import { openLogFile } from '../../../lib/telemetry/log-file.ts'
import { logLevels } from '../../../lib/telemetry/logger.ts'
import type { CreateLogSink } from './contract.ts'

const CLOSE_LIMIT_MS = 5000

/** winston in this process, writing to a file, as its manual shows: JSON format, File transport. */
export const createLogSink: CreateLogSink = async ({ logFile, resource, lineFields }) => {
  const transport = new winston.transports.File({ filename: openLogFile(logFile) })
  const logger = winston.createLogger({
    levels: Object.fromEntries(logLevels.map((level, priority) => [level, priority])),
    level: 'trace',
    defaultMeta: resource,
    format: winston.format.json(),
    transports: [transport],
  })
  return {
    // The line is given as one object, because winston would otherwise take a % in the message for a placeholder and
    // the fields for its values. The object is complete, because winston formats a line later while its file is slow,
    // when another request may be running.
    write(level, message, fields) {
      logger.log({ ...fields, ...lineFields(), time: Date.now(), level, message })
    },
    async close() {
      // winston ends its transport when its own input has ended, although lines may still wait between the two; these
      // then fail with "write after end". So this waits for the lines first and then ends the transport itself.
      const giveUp = AbortSignal.timeout(CLOSE_LIMIT_MS)
      const waiting = () => logger.writableLength + logger.readableLength + transport.writableLength
      while (waiting() > 0 && !giveUp.aborted) await delay(1)
      const late = waiting()
      const finished = once(transport, 'finish', { signal: giveUp })
      transport.end()
      await finished.catch(() =>
        process.stderr.write(
          `app: ${logFile} did not take all log lines within ${CLOSE_LIMIT_MS / 1000} s; about ${late} are lost\n`,
        ),
      )
    },
  }
}
