/** The levels from the most to the least important. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

/** The fields of a line besides its message. They are written as JSON. */
export type LogFields = Readonly<Record<string, unknown>>
