import type { LoggerOptions } from 'pino'
import type { LoggingOptions } from './contract.ts'

/**
 * Options with which pino writes the lines of the contract. The level has been checked before pino is called. The fields
 * of the line and its request are added as text that is ready to be written: pino's `mixin` would copy an object for each
 * line, and escape the same ids again.
 */
export const pinoOptions = ({ lineText }: Pick<LoggingOptions, 'lineText'>) =>
  ({
    level: 'trace',
    messageKey: 'message',
    formatters: { level: label => ({ level: label }) },
    timestamp: () => `,"time":${Date.now()}${lineText()}`,
  }) as const satisfies LoggerOptions
