const WATCH_INTERVAL_MS = 500

/**
 * Calls back once when this command should stop: Ctrl-C, SIGTERM, or the end of npm, which does not pass SIGTERM on to
 * what it runs. Further signals, often the same Ctrl-C handed on, do not end the process before it has cleaned up.
 */
export function onStopRequested(stop: () => void): void {
  let requested = false
  const request = () => {
    if (requested) return
    requested = true
    clearInterval(watch)
    stop()
  }
  const parent = process.ppid
  const watch = setInterval(() => process.ppid !== parent && request(), WATCH_INTERVAL_MS).unref()
  if (!process.env.npm_lifecycle_event) clearInterval(watch)
  process.on('SIGINT', request)
  process.on('SIGTERM', request)
}
