import { createRequire } from 'node:module'
import type { CreateLogSink } from '../../../app/concerns/logging/contract.ts'
import { writeInPinoThread } from '../../../app/concerns/logging/pino-thread.ts'

/** pino with pino-roll in its thread, which writes files of the size at which logger-transport rotates. */
export const createLogSink: CreateLogSink = options =>
  writeInPinoThread(options, {
    target: createRequire(import.meta.url).resolve('pino-roll'),
    options: { file: `${options.logFile}.roll`, size: '64m', mkdir: true },
  })
