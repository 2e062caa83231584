import { percentilesOf } from '../../apm-agent/live/latency-buckets.ts'
import type { Usage } from '../../app/server/usage.ts'
import { record } from '../../lib/record.ts'
import type { LoadWindow } from '../../loadtest/generator/load-window.ts'
import type { Second } from '../../screen/stage-messages.ts'

const SECOND_MS = 1000
const READING_LIMIT_MS = 5000
/** Kubernetes waits this long for a health check, unless it is told otherwise. */
const HEALTH_LIMIT_MS = 1000
/** Code is compiled and caches fill in this time after a flip, another choice of requests, or a fault; it does not count. */
const WARM_UP_MS = 3000

interface MeterOptions {
  /** The base URL of the app. */
  readonly app: string
  readonly window: LoadWindow
  /** The base URL of the app's admin server, which is another one after a flip. */
  admin(): string
  /** What is shown: the step that serves and its mode, what the load asks for, and whether something is broken on purpose. */
  shown(): Pick<Second, 'step' | 'scenario' | 'overload' | 'isBroken'>
  onSecond(second: Second): void
}

const counted = ['good', 'failed', 'refused'] as const

interface Reading extends Pick<Second, 'healthMs'> {
  readonly atMs: number
  readonly admin: string
  readonly shown: ReturnType<MeterOptions['shown']>
  /** Numbers of answers since the start. */
  readonly counts: Readonly<Record<(typeof counted)[number], number>>
  /** Null if the app did not answer, because it was being replaced. */
  readonly usage: Usage | null
}

/**
 * Reads once a second the CPU time of the app's main thread and the number of good answers, as the load test does at
 * both ends of a window.
 * @returns a function that stops it
 */
export function startMeter({ app, window, admin, shown, onSecond }: MeterOptions): () => void {
  const startedAtMs = performance.now()
  let last: Reading | undefined
  let unchanged = { what: '', sinceMs: 0 }
  let isReading = false

  async function read(): Promise<Reading> {
    const url = admin()
    const [usage, healthMs] = await Promise.all([readUsage(url), askApp(`${app}/healthz`, HEALTH_LIMIT_MS)])
    const { responses: good, errors, wrongBodies, refusals: refused } = window
    const counts = { good, refused, failed: errors + wrongBodies - refused }
    return { atMs: performance.now(), admin: url, shown: shown(), counts, healthMs, usage }
  }

  async function tick(): Promise<void> {
    if (isReading) return
    isReading = true
    const now = await read()
    isReading = false
    const what = `${now.admin} ${now.shown.scenario} ${now.shown.isBroken}`
    if (unchanged.what !== what) unchanged = { what, sinceMs: now.atMs }
    if (last) onSecond(between(last, now))
    last = now
  }

  function between(before: Reading, now: Reading): Second {
    const [from, to] = [before.usage?.mainThread, now.usage?.mainThread]
    const spent = from && to && before.admin === now.admin ? { from, to } : undefined
    const isBroken = before.shown.isBroken || now.shown.isBroken
    const latencies = percentilesOf(window.meter.takeLatencies())
    return {
      atMs: Math.round(now.atMs - startedAtMs),
      durationMs: Math.round(now.atMs - before.atMs),
      ...now.shown,
      isBroken,
      isWarm: spent !== undefined && !isBroken && before.atMs > unchanged.sinceMs + WARM_UP_MS,
      ...record(counted, key => now.counts[key] - before.counts[key]),
      cpuMicros: spent ? spent.to.cpuMicros - spent.from.cpuMicros : null,
      p50Ms: latencies?.p50 ?? null,
      healthMs: now.healthMs && Math.round(now.healthMs),
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

/**
 * Asks the app over a connection of its own, as one from outside has: one that is kept may end with the app of the step before.
 * @returns the time until the answer was complete, in milliseconds; null without a good answer within the limit
 */
async function askApp(url: string, limitMs: number): Promise<number | null> {
  const askedAtMs = performance.now()
  try {
    const signal = AbortSignal.timeout(limitMs)
    const answer = await fetch(url, { headers: { connection: 'close' }, signal })
    await answer.arrayBuffer()
    return answer.ok ? performance.now() - askedAtMs : null
  } catch {
    return null
  }
}
