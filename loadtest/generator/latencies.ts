import { createHistogram } from 'node:perf_hooks'
import type { Latency } from './protocol.ts'

/** Collects latencies in milliseconds and returns their percentiles. */
export interface Latencies {
  record(latencyMs: number): void
  /** The percentiles; NaN when nothing was recorded. */
  summary(): Latency
}

/**
 * Keeps every value, for exact percentiles by nearest rank. For windows that are short enough to keep them in memory.
 */
export class ExactLatencies implements Latencies {
  readonly #latenciesMs: number[] = []

  record(latencyMs: number): void {
    this.#latenciesMs.push(latencyMs)
  }

  summary(): Latency {
    const sorted = Float64Array.from(this.#latenciesMs).sort()
    return toLatency(share => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN)
  }
}

const NANOS_PER_MS = 1e6
const HIGHEST_MS = 3_600_000

/**
 * Tene's HDR histogram of nanoseconds, which Node.js contains (HdrHistogram_c): exact to four digits up to an hour,
 * in constant memory.
 */
export class HdrLatencies implements Latencies {
  readonly #histogram = createHistogram({ lowest: 1, highest: HIGHEST_MS * NANOS_PER_MS, figures: 4 })

  record(latencyMs: number): void {
    this.#histogram.record(Math.max(1, Math.round(Math.min(latencyMs, HIGHEST_MS) * NANOS_PER_MS)))
  }

  summary(): Latency {
    if (this.#histogram.count === 0) return toLatency(() => Number.NaN)
    return toLatency(share => this.#histogram.percentile(share * 100) / NANOS_PER_MS)
  }
}

const toLatency = (percentile: (share: number) => number): Latency => ({
  p50: percentile(0.5),
  p90: percentile(0.9),
  p99: percentile(0.99),
  max: percentile(1),
})
