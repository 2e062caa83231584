import type { LoggerOptions } from 'pino'

/** Options with which pino writes the lines of the contract. The level has been checked before pino is called. */
export const pinoOptions = {
  level: 'debug',
  messageKey: 'message',
  formatters: { level: label => ({ level: label }) },
} as const satisfies LoggerOptions
