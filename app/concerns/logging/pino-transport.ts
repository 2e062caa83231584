import { openLogFile } from '../../../lib/telemetry/log-file.ts'
import type { CreateLogSink } from './contract.ts'
import { writeInPinoThread } from './pino-thread.ts'

/** pino with its own worker-thread transport to a file. */
export const createLogSink: CreateLogSink = async options => {
  const destination = openLogFile(options.logFile)
  return writeInPinoThread(options, { target: 'pino/file', options: { destination } })
}
