import { RequestMeter } from '../../app/server/pulse/request-meter.ts'
import { Latencies } from './latencies.ts'
import type { Outcome } from './protocol.ts'

/**
 * Counts the good answers between its opening and its closing. Errors count from the first request on: a load that
 * failed while it warmed up proves nothing.
 */
export class LoadWindow {
  /** The answers inside the window, by their kind. */
  readonly inWindow = { good: 0, error: 0, refused: 0, 'wrong body': 0 }
  errors = 0
  /** The errors that were refusals. */
  refusals = 0
  wrongBodies = 0
  readonly latencies = new Latencies()
  /** Times to the first byte, for the answers whose latency is recorded. */
  readonly firstBytes = new Latencies()
  /** Meter of all answers, also those outside the window, for the live page. */
  readonly meter = new RequestMeter()
  #openedAtMs = Number.POSITIVE_INFINITY
  #closedAtMs = Number.POSITIVE_INFINITY

  open(): void {
    this.#openedAtMs = performance.now()
  }

  close(): void {
    this.#closedAtMs = performance.now()
  }

  /** Whether a moment of `performance.now()` lies inside the window. */
  holds(atMs: number): boolean {
    return atMs >= this.#openedAtMs && atMs < this.#closedAtMs
  }

  /**
   * Records an answer that arrives now, to a request that was due at `scheduledAtMs`, or in a closed loop sent then. The
   * response counts when it arrives inside the window; its latency counts when the request was due inside the window, so that requests that
   * wait longer than the window are not lost.
   * @param firstByteAtMs the moment at which the head of the answer arrived
   */
  record(outcome: Outcome, scheduledAtMs: number, firstByteAtMs: number): void {
    this.meter.record(outcome === 'good', scheduledAtMs)
    if (scheduledAtMs >= this.#closedAtMs) return
    this.#count(outcome)
    if (outcome === 'good' && this.holds(scheduledAtMs)) {
      this.latencies.record(performance.now() - scheduledAtMs)
      this.firstBytes.record(firstByteAtMs - scheduledAtMs)
    }
  }

  /** Good answers inside the window. */
  get responses(): number {
    return this.inWindow.good
  }

  get #isOpen(): boolean {
    return this.holds(performance.now())
  }

  #count(outcome: Outcome): void {
    if (outcome === 'refused') this.refusals++
    if (outcome === 'error' || outcome === 'refused') this.errors++
    if (outcome === 'wrong body') this.wrongBodies++
    if (this.#isOpen) this.inWindow[outcome]++
  }
}
