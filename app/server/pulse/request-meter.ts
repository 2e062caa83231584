import { performance } from 'node:perf_hooks'
import { BUCKETS, bucketOf, type Latencies } from '../../../apm-agent/live/latency-buckets.ts'
import type { Pulse } from '../../../apm-agent/live/pulse-protocol.ts'

/**
 * Counts answers and their latencies, at the cost of two readings of the clock and an increment. It is the same in
 * every composition.
 */
export class RequestMeter {
  #good = 0
  #bad = 0
  readonly #latencies = new Uint32Array(BUCKETS)

  /** @param startedAtMs the start of the request by `performance.now()` */
  record(isGood: boolean, startedAtMs: number): void {
    if (!isGood) {
      this.#bad++
      return
    }
    this.#good++
    const bucket = bucketOf(performance.now() - startedAtMs)
    this.#latencies[bucket] = (this.#latencies[bucket] as number) + 1
  }

  get counts(): Pulse['requests'] {
    return { good: this.#good, bad: this.#bad }
  }

  /** The latencies of the good answers since the last call. */
  takeLatencies(): Latencies {
    const taken: [number, number][] = []
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const count = this.#latencies[bucket] as number
      if (count > 0) taken.push([bucket, count])
    }
    this.#latencies.fill(0)
    return taken
  }
}
