import type { LoggerOptions } from 'pino'

/** What the lines of a request have in common, as JSON, each field after a comma. */
export interface LineText {
  lineText(): string
}

/**
 * Options with which pino writes the lines of this project. The level has been checked before pino is called. The fields
 * of the line and its request are added as text that is ready to be written: pino's `mixin` would copy an object for each
 * line, and escape the same ids again.
 */
export const pinoOptions = ({ lineText }: LineText) =>
  ({
    level: 'trace',
    messageKey: 'message',
    formatters: { level: label => ({ level: label }) },
    timestamp: () => `,"time":${Date.now()}${lineText()}`,
  }) as const satisfies LoggerOptions
