import { percentilesOf } from '../../apm-agent/live/latency-buckets.ts'
import type { Usage } from '../../app/server/usage.ts'
import type { LoadWindow } from '../../loadtest/generator/load-window.ts'
import type { Second } from './protocol.ts'

const SECOND_MS = 1000
const READING_LIMIT_MS = 5000
/** Code is compiled and caches fill in this time after a flip, so it does not count. */
const WARM_UP_MS = 3000

interface MeterOptions {
  readonly window: LoadWindow
  /** The base URL of the app's admin server, which is another one after a flip. */
  admin(): string
  /** The step that serves. */
  step(): number
  onSecond(second: Second): void
}

interface Reading {
  readonly atMs: number
  readonly admin: string
  readonly good: number
  /** Null if the app did not answer, because it was being replaced. */
  readonly usage: Usage | null
}

/**
 * Reads once a second the CPU time of the app's main thread and the number of good answers, as the load test does at
 * both ends of a window.
 * @returns a function that stops it
 */
export function startMeter({ window, admin, step, onSecond }: MeterOptions): () => void {
  const startedAtMs = performance.now()
  let last: Reading | undefined
  let shown = { admin: '', sinceMs: 0 }
  let isReading = false

  async function read(): Promise<Reading> {
    const url = admin()
    const usage = await readUsage(url)
    return { atMs: performance.now(), admin: url, good: window.responses, usage }
  }

  async function tick(): Promise<void> {
    if (isReading) return
    isReading = true
    const now = await read()
    isReading = false
    if (shown.admin !== now.admin) shown = { admin: now.admin, sinceMs: now.atMs }
    if (last) onSecond(between(last, now))
    last = now
  }

  function between(before: Reading, now: Reading): Second {
    const [from, to] = [before.usage?.mainThread, now.usage?.mainThread]
    const spent = from && to && before.admin === now.admin ? { from, to } : undefined
    const activeMs = spent && spent.to.activeMs - spent.from.activeMs
    const idleMs = spent && spent.to.idleMs - spent.from.idleMs
    const latencies = percentilesOf(window.meter.takeLatencies())
    return {
      atMs: Math.round(now.atMs - startedAtMs),
      durationMs: Math.round(now.atMs - before.atMs),
      step: step(),
      isWarm: spent !== undefined && before.atMs > shown.sinceMs + WARM_UP_MS,
      good: now.good - before.good,
      failed: window.errors + window.wrongBodies,
      cpuMicros: spent ? spent.to.cpuMicros - spent.from.cpuMicros : null,
      utilization: activeMs === undefined || idleMs === undefined ? null : activeMs / (activeMs + idleMs),
      p50Ms: latencies?.p50 ?? null,
      p99Ms: latencies?.p99 ?? null,
    }
  }

  const timer = setInterval(() => void tick(), SECOND_MS)
  return () => clearInterval(timer)
}

async function readUsage(admin: string): Promise<Usage | null> {
  try {
    const answer = await fetch(`${admin}/usage`, { signal: AbortSignal.timeout(READING_LIMIT_MS) })
    return (await answer.json()) as Usage
  } catch {
    return null
  }
}
