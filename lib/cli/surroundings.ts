import { isatty } from 'node:tty'

/**
 * Whether one of the standard streams is a terminal, at the time of the call: not any more after the terminal was closed. If
 * none is, SIGHUP asks nobody to stop: `nohup`, service managers and containers start a process so, and Node.js itself resets
 * signals that were ignored when it was started.
 */
export const hasTerminal = (): boolean => [0, 1, 2].some(isatty)

/** Keeps this process from ending, before it has cleaned up, because of a terminal or a pipe that was closed. */
export function withstandTerminal(): void {
  if (!hasTerminal() && process.listenerCount('SIGHUP') === 0) process.on('SIGHUP', () => {})
  // A terminal that was closed takes no more lines.
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {})
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', stopWithoutReader)
}

/** Stops the command, in order if it can, when nobody reads its output any more, as behind `| head`. */
function stopWithoutReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  if (!process.emit('SIGTERM')) process.exit()
}

const WATCH_INTERVAL_MS = 500

/** Calls back when the terminal or npm has ended. npm does not pass SIGTERM on, so its end is watched. */
export function watchParent(stop: () => void, isStopping: () => boolean): void {
  process.on('SIGHUP', hasTerminal() ? stop : () => {})
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent && !isStopping()) return
    clearInterval(watch)
    if (!isStopping()) stop()
  }, WATCH_INTERVAL_MS).unref()
}
