import type { Server } from 'node:http'

/** Between two looks at the clock nothing happens but the loop; a longer gap was another thread's time. */
const LONGEST_TURN_MS = 0.05

/**
 * Makes the main thread burn `percent` more CPU time than it uses by itself: before each request what it has come to
 * owe since the last one. Its own time is what the system says it used, less what was burnt; no estimate of a request's
 * cost is involved. For the load test, which has to find it.
 * @returns how to read, in milliseconds, what was burnt
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

/** Keeps this thread busy for so much CPU time; answers how much it was. */
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
