import {
  amount,
  type Check,
  type Checked,
  count,
  list,
  object,
  orNull,
  record,
  text,
} from '../../lib/check.ts'
import { type AppDescription, UPDATE_INTERVAL_MS } from '../../screen/live-messages.ts'
import { isLatencies } from './latency-buckets.ts'

/**
 * The app sends apm-agent a pulse with its figures twice a second, for the live page. The pulse is the same at every
 * step.
 *
 *     app ── pulse, pulse, pulse … over apm-agent's Unix socket ──▶ apm-agent ── server-sent events ──▶ pages
 *
 * Counts and times are totals since the start of the app, so that a lost pulse loses nothing. Only `latencies` and
 * `delayMs` cover the time since the pulse before.
 */
export const PULSE_INTERVAL_MS = UPDATE_INTERVAL_MS

const word = text(64)
const sentence = text(256)
/** A pool may have a thread for each core of a large machine. */
const MAX_THREADS = 512
const MAX_POOLS = 16
const MAX_CONCERNS = 32
const MAX_STEPS = 32
const MAX_FAULTS = 32

const isAppDescription: Check<AppDescription> = object({
  instance: sentence,
  place: orNull(object({ group: sentence, number: count, of: count })),
  startedAtMs: amount,
  step: orNull(count),
  name: sentence,
  composition: record(word, word, MAX_CONCERNS),
  ladder: list(word, MAX_STEPS),
})

const isPoolPulse = object({
  name: word,
  size: count,
  queueLength: count,
  tasks: count,
  waitMs: amount,
  runMs: amount,
})

/** Times are by the app's monotonic clock. A fault that is on has an end in the future. */
const isFaultPulse = object({
  /** The number of the fault in its app. */
  id: count,
  name: word,
  startedAtMs: amount,
  endsAtMs: amount,
})

/** Numbers of log lines, spans and metric points that the app emitted. */
const isEmitted = object({ logLines: count, spans: count, metricPoints: count })

export const isPulse = object({
  app: isAppDescription,
  /** The time by the monotonic clock. */
  atMs: amount,
  /**
   * A good request was answered completely, with a status below 400. A bad one was answered with 400 or more, or cut
   * off.
   */
  requests: object({ good: count, bad: count }),
  /** Latencies of good answers. */
  latencies: isLatencies,
  loop: object({ activeMs: amount, idleMs: amount }),
  /** Durations of single turns of the event loop; null if there was no turn. */
  delayMs: orNull(object({ p99: amount, max: amount })),
  gc: object({ count, pausedMs: amount }),
  threads: list(object({ name: word, cpuMicros: amount }), MAX_THREADS),
  pools: list(isPoolPulse, MAX_POOLS),
  emitted: isEmitted,
  /** Log lines that the app dropped. */
  droppedLines: count,
  /** The faults that are on, or ended in the last half minute. */
  faults: list(isFaultPulse, MAX_FAULTS),
})

export type Pulse = Checked<typeof isPulse>
export type PoolPulse = Checked<typeof isPoolPulse>
export type FaultPulse = Checked<typeof isFaultPulse>
export type LedgerName = keyof Checked<typeof isEmitted>
