import type { Latency } from './protocol.ts'

/**
 * Counts good answers between its opening and its closing. What goes wrong counts from the first request on: a load
 * that failed while it warmed up has nothing to say.
 */
export class LoadWindow {
  responses = 0
  errors = 0
  wrongBodies = 0
  readonly #latenciesMs: number[] = []
  #state: 'warming up' | 'open' | 'closed' = 'warming up'

  open(): void {
    this.#state = 'open'
  }

  close(): void {
    this.#state = 'closed'
  }

  /** An answer with its latency in milliseconds. */
  record(outcome: 'good' | 'error' | 'wrong body', latencyMs: number): void {
    if (this.#state === 'closed') return
    if (outcome === 'error') this.errors++
    else if (outcome === 'wrong body') this.wrongBodies++
    else if (this.#state === 'open') {
      this.responses++
      this.#latenciesMs.push(latencyMs)
    }
  }

  /** Exact percentiles, nearest rank, of the good answers' latencies; NaN without any. */
  latency(): Latency {
    const sorted = Float64Array.from(this.#latenciesMs).sort()
    const percentile = (share: number) =>
      sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
    return { p50: percentile(0.5), p90: percentile(0.9), p99: percentile(0.99), max: percentile(1) }
  }
}
