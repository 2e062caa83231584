import { RequestMeter } from '../../app/pulse/request-meter.ts'
import { ExactLatencies, type Latencies } from './latencies.ts'

export type Outcome = 'good' | 'error' | 'wrong body'

/**
 * Counts good answers between its opening and its closing. What goes wrong counts from the first request on: a load
 * that failed while it warmed up has nothing to say.
 */
export class LoadWindow {
  responses = 0
  errors = 0
  wrongBodies = 0
  readonly latencies: Latencies
  /** Until the head of the answer was there, of those whose latency is recorded. */
  readonly firstBytes: Latencies
  /** Whatever was answered, also outside the window: for the live page. */
  readonly meter = new RequestMeter()
  #openedAtMs = Number.POSITIVE_INFINITY
  #closedAtMs = Number.POSITIVE_INFINITY

  constructor(create: () => Latencies = () => new ExactLatencies()) {
    this.latencies = create()
    this.firstBytes = create()
  }

  open(): void {
    this.#openedAtMs = performance.now()
  }

  close(): void {
    this.#closedAtMs = performance.now()
  }

  /** Whether this moment of `performance.now()` lies inside. */
  holds(atMs: number): boolean {
    return atMs >= this.#openedAtMs && atMs < this.#closedAtMs
  }

  /** An answer of a closed loop, at this moment, with its latency and the time to its first byte in milliseconds. */
  record(outcome: Outcome, latencyMs: number, firstByteMs: number): void {
    this.meter.record(outcome === 'good', performance.now() - latencyMs)
    if (this.#closedAtMs < Number.POSITIVE_INFINITY) return
    this.#count(outcome)
    if (outcome === 'good' && this.#isOpen) {
      this.latencies.record(latencyMs)
      this.firstBytes.record(firstByteMs)
    }
  }

  /**
   * The answer, at this moment, to a request that was to be sent at `scheduledAtMs`. It counts as a response by when it
   * came and as a latency by when it was scheduled: who waits longer than the window lasts is not forgotten.
   * @param firstByteAtMs when the head of the answer was there
   */
  recordScheduled(outcome: Outcome, scheduledAtMs: number, firstByteAtMs: number): void {
    this.meter.record(outcome === 'good', scheduledAtMs)
    if (scheduledAtMs >= this.#closedAtMs) return
    this.#count(outcome)
    if (outcome === 'good' && this.holds(scheduledAtMs)) {
      this.latencies.record(performance.now() - scheduledAtMs)
      this.firstBytes.record(firstByteAtMs - scheduledAtMs)
    }
  }

  get #isOpen(): boolean {
    return this.holds(performance.now())
  }

  #count(outcome: Outcome): void {
    if (outcome === 'error') this.errors++
    else if (outcome === 'wrong body') this.wrongBodies++
    else if (this.#isOpen) this.responses++
  }
}
