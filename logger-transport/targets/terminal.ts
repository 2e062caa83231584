import pretty from 'pino-pretty'
import { printable, printableJson } from '../../lib/cli/terminal.ts'
import { fieldsOf, type LogRecord } from '../record.ts'
import type { Target } from './contract.ts'
import { writeToStdout } from './stdout.ts'

/**
 * Creates a target that writes readable lines to stdout, for development. The text of a line cannot control the
 * terminal.
 */
export function createTerminalTarget(): Target {
  const format = pretty.prettyFactory({
    colorize: process.stdout.isTTY,
    messageFormat: ({ message, msg }) => asText(message ?? msg ?? ''),
    ignore: 'message,msg,hostname,sequence,thread\\.id',
  })
  const show = (record: LogRecord): string => {
    try {
      return format(printableJson(JSON.stringify(fieldsOf(record))))
    } catch {
      // JSON of any depth is a line, but only its text can be shown.
      return `${printable(record.line)}\n`
    }
  }
  return {
    name: 'terminal',
    deliver: records => writeToStdout(records.map(show).join('')),
    close: async () => {},
  }
}

const asText = (message: unknown): string =>
  typeof message === 'object' ? JSON.stringify(message) : String(message)
