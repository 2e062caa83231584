import type { LoggerOptions } from 'pino'

/** What makes pino's lines those of the contract. Levels are decided before. */
export const pinoOptions = {
  level: 'debug',
  messageKey: 'message',
  formatters: { level: label => ({ level: label }) },
} as const satisfies LoggerOptions
