const WATCH_INTERVAL_MS = 500
/** A terminal's Ctrl-C reaches npm and what it runs, and npm hands it on: that is one, not two. */
const SAME_SIGNAL_MS = 300

/**
 * Calls back once when this command should stop: Ctrl-C, SIGTERM, the end of its terminal, or that of npm, which does
 * not pass SIGTERM on to what it runs. Further signals do not end the process before it has cleaned up.
 * @param insist called when another signal comes: somebody does not want to wait
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
  process.on('SIGHUP', request)
}
