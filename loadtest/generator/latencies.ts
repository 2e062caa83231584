import { createHistogram } from 'node:perf_hooks'
import type { Latency } from './protocol.ts'

const NANOS_PER_MS = 1e6
const HIGHEST_MS = 3_600_000

/**
 * Collects latencies in milliseconds, in Tene's HDR histogram of nanoseconds, which Node.js contains (HdrHistogram_c): exact to four
 * digits up to an hour, in constant memory.
 */
export class Latencies {
  readonly #histogram = createHistogram({ lowest: 1, highest: HIGHEST_MS * NANOS_PER_MS, figures: 4 })

  record(latencyMs: number): void {
    this.#histogram.record(Math.max(1, Math.round(Math.min(latencyMs, HIGHEST_MS) * NANOS_PER_MS)))
  }

  /** The percentiles; NaN when nothing was recorded. */
  summary(): Latency {
    const at = (percent: number) =>
      this.#histogram.count === 0 ? Number.NaN : this.#histogram.percentile(percent) / NANOS_PER_MS
    return { p50: at(50), p90: at(90), p99: at(99), max: at(100) }
  }
}
