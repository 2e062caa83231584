import type { CallHeaders, CallTimes } from '../lib/telemetry/call-times.ts'
import { monotonicMs } from '../lib/units.ts'
import type { Apm } from './concerns/apm/contract.ts'
import type { SpanHandle } from './context.ts'

/** A call ends at the deadline of its request. A busy thread tells it this much later. */
const LATE_MS = 2000

let lastId = 0

/** The span of a call upstream that a thread makes, until it is ended or dropped; what comes after that does nothing. */
export class CallSpan {
  /** Names the call for `ThreadClient.endLate` of the thread. */
  readonly id = ++lastId
  /** The headers that the call has to pass on. */
  readonly headers: CallHeaders
  /** Called once, when nothing more will be known of the call. */
  onClosed: (() => void) | undefined
  /** The calls for whose end nobody waits, by their ids. */
  abandoned: Map<number, CallSpan> | undefined
  readonly #apm: Pick<Apm, 'startCall' | 'callHeaders' | 'endCall' | 'drop'>
  readonly #span: SpanHandle
  #isOpen = true
  #timer: NodeJS.Timeout | undefined

  /**
   * @param url the origin of the upstream
   * @param parent the span of the request
   */
  constructor(
    apm: Pick<Apm, 'startCall' | 'callHeaders' | 'endCall' | 'drop'>,
    url: string,
    parent: SpanHandle,
  ) {
    this.#apm = apm
    this.#span = apm.startCall(url, parent)
    this.headers = apm.callHeaders(this.#span, parent)
  }

  end(times: CallTimes): void {
    if (this.#close()) this.#apm.endCall(this.#span, times)
  }

  /** Says that no call was made, or that nobody knows its end, because its thread died. */
  drop(): void {
    if (this.#close()) this.#apm.drop(this.#span)
  }

  /** Says that nobody waits for the call any more. The thread may still tell its end, until a while after this deadline. */
  abandon(deadline: number): void {
    if (!this.#isOpen) return
    this.abandoned?.set(this.id, this)
    this.#timer ??= setTimeout(() => this.drop(), deadline + LATE_MS - monotonicMs()).unref()
  }

  /** @returns whether the call was open */
  #close(): boolean {
    const wasOpen = this.#isOpen
    this.#isOpen = false
    clearTimeout(this.#timer)
    this.abandoned?.delete(this.id)
    if (wasOpen) this.onClosed?.()
    return wasOpen
  }
}
