import pretty from 'pino-pretty'
import type { Target } from './contract.ts'

/** Readable lines on stdout, for development. */
export function createTerminalTarget(): Target {
  const format = pretty.prettyFactory({
    colorize: process.stdout.isTTY,
    messageKey: 'message',
    ignore: 'service,version,host,pid,instance,sequence',
  })
  return {
    name: 'terminal',
    deliver: records =>
      new Promise(resolve =>
        process.stdout.write(records.map(({ text }) => format(text)).join(''), () => resolve()),
      ),
    close: async () => {},
  }
}
