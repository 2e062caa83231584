import pretty from 'pino-pretty'
import { printableJson } from '../../lib/cli/printable.ts'
import type { Target } from './contract.ts'

/**
 * Creates a target that writes readable lines to stdout, for development. The text of a line cannot control the
 * terminal.
 */
export function createTerminalTarget(): Target {
  const format = pretty.prettyFactory({
    colorize: process.stdout.isTTY,
    messageFormat: ({ message, msg }) => String(message ?? msg ?? ''),
    ignore: 'message,msg,service,version,host,hostname,pid,instance,sequence,thread\\.id',
  })
  return {
    name: 'terminal',
    deliver: records =>
      new Promise(resolve =>
        process.stdout.write(records.map(({ text }) => format(printableJson(text))).join(''), () =>
          resolve([]),
        ),
      ),
    close: async () => {},
  }
}
