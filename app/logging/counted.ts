import { type LogFields, type Logger, type LogLevel, logLevels } from './contract.ts'

/** A logger that counts the lines of enabled levels as it hands them on. */
export function countLines(
  level: LogLevel,
  write: (level: LogLevel, message: string, fields?: LogFields) => void,
) {
  let emitted = 0
  const enabled = new Set<LogLevel>(logLevels.slice(0, logLevels.indexOf(level) + 1))
  const logger = Object.fromEntries(
    logLevels.map(name => [
      name,
      enabled.has(name)
        ? (message: string, fields?: LogFields) => {
            emitted++
            write(name, message, fields)
          }
        : () => {},
    ]),
  ) as unknown as Logger
  return { logger, emitted: () => emitted }
}
