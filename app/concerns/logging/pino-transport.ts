import { once } from 'node:events'
import pino from 'pino'
import { claimLogFile } from '../../../lib/telemetry/log-file.ts'
import { pinoOptions } from '../../../logger-transport/pino-options.ts'
import type { CreateLogSink } from './contract.ts'

/** pino with its own worker-thread transport to a file: lines are formatted here and written in that thread. */
export const createLogSink: CreateLogSink = async ({ logFile, resource, lineText }) => {
  const destination = await claimLogFile(logFile, 'app')
  const transport = pino.transport({ target: 'pino/file', options: { destination } })
  await once(transport, 'ready')
  const logger = pino({ ...pinoOptions({ lineText }), base: resource }, transport)
  return {
    write: (level, message, fields) => logger[level](fields, message),
    dropped: () => 0,
    async close() {
      const closed = once(transport, 'close')
      transport.end()
      await closed
    },
  }
}
