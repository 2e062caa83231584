import { type LogFields, type LogLevel, logLevels } from '../../../lib/telemetry/log-line.ts'
import type { Logger } from './contract.ts'

type LogLine = (message: string, fields?: LogFields) => void

/** Makes a logger. @param log makes the function of a level */
export const loggerOf = (log: (level: LogLevel) => LogLine): Logger =>
  Object.fromEntries(logLevels.map(level => [level, log(level)])) as Logger
