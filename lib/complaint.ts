import { printable } from './printable.ts'

const INTERVAL_MS = 60_000

/** Lines to stderr about trouble that goes on: at most once a minute, whatever they say. */
export function createComplaint(): (...lines: readonly string[]) => void {
  let saidAt = Number.NEGATIVE_INFINITY
  return (...lines) => {
    if (performance.now() - saidAt < INTERVAL_MS) return
    saidAt = performance.now()
    process.stderr.write(lines.map(line => `${printable(line)}\n`).join(''))
  }
}
