/** The levels from the most to the least important. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof logLevels)[number]

/** The fields of a line besides its message. They are written as JSON. */
export type LogFields = Readonly<Record<string, unknown>>

/** The numbers that stand for the levels in lines of many loggers. */
export const levelNumbers: Readonly<Record<LogLevel, number>> = {
  fatal: 60,
  error: 50,
  warn: 40,
  info: 30,
  debug: 20,
  trace: 10,
}

/** The level that a line of any logger names, by its word or its number; undefined for a level of its own. */
export const levelOf = (given: unknown): LogLevel | undefined =>
  logLevels.find(level => level === given || String(levelNumbers[level]) === String(given))
