const INTERVAL_MS = 60_000

/** A line to stderr about trouble that goes on: at most one a minute, whatever it says. */
export function createComplaint(): (line: string) => void {
  let saidAt = Number.NEGATIVE_INFINITY
  return line => {
    if (performance.now() - saidAt < INTERVAL_MS) return
    saidAt = performance.now()
    process.stderr.write(`${line}\n`)
  }
}
