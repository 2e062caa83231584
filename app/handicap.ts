import type { Server } from 'node:http'

/**
 * The loop reads the clock more often than this. During a longer gap another thread had the core, so the gap is not
 * counted.
 */
const LONGEST_TURN_MS = 0.05

/**
 * Makes the main thread burn `percent` more CPU time than it uses itself. Before each request it burns the time that it
 * has come to owe since the last one. Its own time is the CPU time that the system reports, less the burnt time; no
 * cost of a request is estimated. The load test uses this to test whether it finds a known difference.
 * @returns a function that reads the burnt time, in milliseconds
 */
export function handicap(server: Server, percent: number): () => number {
  const startedAtMs = threadCpuMs()
  let burntMs = 0
  server.on('request', () => {
    const ownMs = threadCpuMs() - startedAtMs - burntMs
    const owedMs = (ownMs * percent) / 100 - burntMs
    if (owedMs > 0) burntMs += burn(owedMs)
  })
  return () => burntMs
}

/** Keeps this thread busy for this CPU time, and returns the CPU time that it took. */
function burn(durationMs: number): number {
  let burntMs = 0
  for (let lastMs = performance.now(); burntMs < durationMs; ) {
    const nowMs = performance.now()
    if (nowMs - lastMs < LONGEST_TURN_MS) burntMs += nowMs - lastMs
    lastMs = nowMs
  }
  return burntMs
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
