import { once } from 'node:events'
import pino from 'pino'
import { openLogFile } from '../../../lib/telemetry/log-file.ts'
import { pinoOptions } from '../../../logger-transport/line-format.ts'
import type { CreateLogSink, LineCounts, LogSink } from './contract.ts'

/**
 * pino in this process, writing to a file asynchronously, as its manual advises for production: 4 KiB at a time, and a
 * flush at the end. After the file has failed, lines are dropped and counted.
 */
export const createLogSink: CreateLogSink<LogSink & { counts(): LineCounts }> = async options => {
  const { logFile, resource, lineText } = options
  const dest = openLogFile(logFile)
  const destination = pino.destination({ dest, minLength: 4096, sync: false })
  await once(destination, 'ready')
  const logger = pino({ ...pinoOptions({ lineText }), base: resource }, destination)
  let emitted = 0
  let dropped = 0
  let isBroken = false
  destination.on('error', ({ message }: Error) => {
    if (!isBroken) process.stderr.write(`app: ${logFile} takes no more lines: ${message}\n`)
    isBroken = true
  })
  return {
    write(level, message, fields) {
      emitted++
      if (isBroken) dropped++
      else logger[level](fields, message)
    },
    counts: () => ({ emitted, dropped }),
    async close() {
      const closed = once(destination, 'close')
      if (isBroken) destination.destroy()
      else destination.end()
      await closed
    },
  }
}
