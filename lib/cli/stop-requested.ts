import { hasTerminal } from './terminal.ts'

const WATCH_INTERVAL_MS = 500
/**
 * Ctrl-C in a terminal reaches npm and its child, and npm passes it on. Two signals within this time are the same
 * Ctrl-C.
 */
const SAME_SIGNAL_MS = 300

/**
 * Calls back once when this command should stop: on Ctrl-C, on SIGTERM, and when its terminal or npm has ended. npm
 * does not pass SIGTERM on, so its end is watched. Further signals do not end the process before it has cleaned up.
 * @param insist called on a further signal, because the user does not want to wait
 */
export function onStopRequested(stop: () => void, insist: () => void = () => {}): void {
  let requestedAtMs: number | undefined
  const request = () => {
    if (requestedAtMs !== undefined) {
      if (performance.now() - requestedAtMs > SAME_SIGNAL_MS) insist()
      return
    }
    requestedAtMs = performance.now()
    clearInterval(watch)
    stop()
  }
  const parent = process.ppid
  const watch = setInterval(() => process.ppid !== parent && request(), WATCH_INTERVAL_MS).unref()
  if (!process.env.npm_lifecycle_event) clearInterval(watch)
  process.on('SIGINT', request)
  process.on('SIGTERM', request)
  process.on('SIGHUP', hasTerminal() ? request : () => {})
}
