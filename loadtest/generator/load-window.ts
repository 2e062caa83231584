import { RequestMeter } from '../../app/server/pulse/request-meter.ts'
import { Latencies } from './latencies.ts'
import type { Outcome } from './protocol.ts'

/** Counts the answers between its opening and its closing. Errors count from the first request on, also of a warm-up. */
export class LoadWindow {
  readonly inWindow = { good: 0, error: 0, refused: 0, 'wrong body': 0 }
  errors = 0
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
    if (outcome === 'refused') this.refusals++
    if (outcome === 'error' || outcome === 'refused') this.errors++
    if (outcome === 'wrong body') this.wrongBodies++
    if (this.holds(performance.now())) this.inWindow[outcome]++
    if (outcome === 'good' && this.holds(scheduledAtMs)) {
      this.latencies.record(performance.now() - scheduledAtMs)
      this.firstBytes.record(firstByteAtMs - scheduledAtMs)
    }
  }

  get responses(): number {
    return this.inWindow.good
  }
}
