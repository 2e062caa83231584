import { isatty } from 'node:tty'

/** Output is made for terminals of this width, and of every larger one. */
const LEAST_COLUMNS = 60

/**
 * The width of the terminal that shows the output, in characters, and at least 60; undefined if the output goes to a
 * file or a pipe and no variable `COLUMNS` says how it will be shown.
 */
export function terminalColumns(): number | undefined {
  const columns = process.stdout.columns || Number.parseInt(process.env.COLUMNS ?? '', 10)
  return columns > 0 ? Math.max(columns, LEAST_COLUMNS) : undefined
}

/**
 * Whether one of the standard streams is a terminal, at the time of the call: not any more after the terminal was closed. If
 * none is, SIGHUP asks nobody to stop: `nohup`, service managers and containers start a process so, and Node.js itself resets
 * signals that were ignored when it was started.
 */
export const hasTerminal = (): boolean => [0, 1, 2].some(isatty)
