/** The levels from the most to the least important. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof logLevels)[number]

/** The fields of a line besides its message. They are written as JSON. */
export type LogFields = Readonly<Record<string, unknown>>
