import { createRequire } from 'node:module'
import type { CreateLogSink } from '../../../app/concerns/logging/contract.ts'
import { writeInPinoThread } from '../../../app/concerns/logging/pino-transport.ts'
import { openLogFile } from '../../../lib/telemetry/log-file.ts'

/** pino with two targets in its thread: the log file, and /dev/null in place of a second destination. */
export const withTargets: CreateLogSink = async options => {
  const destination = openLogFile(options.logFile)
  const to = (file: string) => ({ target: 'pino/file', level: 'trace', options: { destination: file } })
  return writeInPinoThread(options, { targets: [to(destination), to('/dev/null')] })
}

/** pino with pino-roll in its thread, which writes files of the size at which logger-transport rotates. */
export const withRoll: CreateLogSink = options =>
  writeInPinoThread(options, {
    target: createRequire(import.meta.url).resolve('pino-roll'),
    options: { file: `${options.logFile}.roll`, size: '64m', mkdir: true },
  })
