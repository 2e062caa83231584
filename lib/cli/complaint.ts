import { printable } from './printable.ts'

const INTERVAL_MS = 60_000

/**
 * Makes a function that writes lines about a continuing problem, at most once a minute, whatever the lines say.
 * @param write by default writes to stderr
 */
export function createComplaint(
  write = (line: string): void => void process.stderr.write(`${line}\n`),
): (...lines: readonly string[]) => void {
  let saidAt = Number.NEGATIVE_INFINITY
  return (...lines) => {
    if (performance.now() - saidAt < INTERVAL_MS) return
    saidAt = performance.now()
    for (const line of lines) write(printable(line))
  }
}
