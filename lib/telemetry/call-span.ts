import { monotonicMs } from '../units.ts'
import type { CallHeaders, CallRecorder, CallTimes } from './call-times.ts'

/** A call ends at the deadline of its request. A busy thread tells it this much later. */
const LATE_MS = 2000

let lastId = 0

/** The calls for whose end nobody waits, by their ids. */
type Abandoned = Map<number, CallSpan>

/** The span of a call upstream that a thread makes, until it is ended or dropped; what comes after that does nothing. */
export class CallSpan {
  /** Names the call for `ThreadClient.endLate` of the thread. */
  readonly id = ++lastId
  /** The headers that the call has to pass on. */
  readonly headers: CallHeaders
  /** Called once, when nothing more will be known of the call. */
  onClosed: (() => void) | undefined
  readonly #apm: CallRecorder
  readonly #abandoned: Abandoned
  readonly #span: unknown
  #isOpen = true
  #timer: NodeJS.Timeout | undefined

  /**
   * @param url the origin of the upstream
   * @param parent the span of the request
   */
  constructor(apm: CallRecorder, url: string, parent: unknown, abandoned: Abandoned) {
    this.#apm = apm
    this.#abandoned = abandoned
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
    this.#abandoned.set(this.id, this)
    this.#timer ??= setTimeout(() => this.drop(), deadline + LATE_MS - monotonicMs()).unref()
  }

  /** @returns whether the call was open */
  #close(): boolean {
    const wasOpen = this.#isOpen
    this.#isOpen = false
    clearTimeout(this.#timer)
    this.#abandoned.delete(this.id)
    if (wasOpen) this.onClosed?.()
    return wasOpen
  }
}

/** Records the calls that threads make. @param url the origin of the upstream */
export function recordThreadCalls(apm: CallRecorder, url: string) {
  const abandoned: Abandoned = new Map()
  return {
    /** Begins a call for the request with the span `parent`. */
    begin: (parent: unknown): CallSpan => new CallSpan(apm, url, parent, abandoned),
    /** Ends a call that was abandoned. */
    endLate: (id: number, times: CallTimes): void => abandoned.get(id)?.end(times),
    /** Drops what is still open. */
    close() {
      for (const call of abandoned.values()) call.drop()
    },
  }
}
