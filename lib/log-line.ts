/** From the most to the least important. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof logLevels)[number]

/** What a line says besides its message, as JSON. */
export type LogFields = Readonly<Record<string, unknown>>
