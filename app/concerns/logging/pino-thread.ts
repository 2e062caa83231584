import { once } from 'node:events'
import pino from 'pino'
import { pinoOptions } from '../../../logger-transport/line-format.ts'
import type { LoggingOptions, LogSink } from './contract.ts'

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
