import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { pathToFileURL } from 'node:url'

/** During a longer gap another thread had the core, so it is not counted. */
const LONGEST_TURN_MS = 0.05

/** Node.js publishes here each request that an HTTP server of this thread has received, before it is handled. */
const RECEIVED = 'http.server.request.start'

/** The flag of Node.js that makes the main thread of the app use this much more CPU time, in percent. */
export const handicapFlag = (percent: number): string =>
  `--import=${pathToFileURL(import.meta.filename).href}?percent=${percent}`

const percent = Number(new URL(import.meta.url).searchParams.get('percent'))
if (percent > 0) handicap(percent)

/**
 * Makes this thread burn `percent` more CPU time than it uses itself: before each request, what it owes since the last one. Its
 * own time is the CPU time that the system reports, less the burnt time.
 */
export function handicap(percent: number): { readBurntMs(): number; end(): void } {
  const startedAtMs = threadCpuMs()
  let burntMs = 0
  const pay = () => {
    const ownMs = threadCpuMs() - startedAtMs - burntMs
    const owedMs = (ownMs * percent) / 100 - burntMs
    if (owedMs > 0) burntMs += burn(owedMs)
  }
  subscribe(RECEIVED, pay)
  return { readBurntMs: () => burntMs, end: () => void unsubscribe(RECEIVED, pay) }
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
