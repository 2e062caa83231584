import { once } from 'node:events'
import pino from 'pino'
import { openLogFile } from '../../../lib/telemetry/log-file.ts'
import { pinoOptions } from '../../../logger-transport/line-format.ts'
import type { CreateLogSink, LoggingOptions, LogSink } from './contract.ts'

/** pino with its own worker-thread transport to a file. */
export const createLogSink: CreateLogSink = async options => {
  const destination = openLogFile(options.logFile)
  return writeInPinoThread(options, { target: 'pino/file', options: { destination } })
}

/** pino with transports: lines are formatted here, and a thread of pino writes them. */
export async function writeInPinoThread(
  { resource, lineText }: LoggingOptions,
  transports: pino.TransportSingleOptions | pino.TransportMultiOptions,
): Promise<LogSink> {
  const transport = pino.transport(transports as pino.TransportSingleOptions)
  await once(transport, 'ready')
  const logger = pino({ ...pinoOptions({ lineText }), base: resource }, transport)
  return {
    write: (level, message, fields) => logger[level](fields, message),
    async close() {
      const closed = once(transport, 'close')
      transport.end()
      await closed
    },
  }
}
