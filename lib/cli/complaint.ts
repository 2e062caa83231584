import { printable } from './printable.ts'

const INTERVAL_MS = 60_000

/**
 * Makes a function that writes lines about a continuing problem to stderr, at most once a minute, whatever the lines
 * say.
 */
export function createComplaint(): (...lines: readonly string[]) => void {
  let saidAt = Number.NEGATIVE_INFINITY
  return (...lines) => {
    if (performance.now() - saidAt < INTERVAL_MS) return
    saidAt = performance.now()
    process.stderr.write(lines.map(line => `${printable(line)}\n`).join(''))
  }
}
