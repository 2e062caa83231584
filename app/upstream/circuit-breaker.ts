import { monotonicMs } from '../../lib/units.ts'

/** By how much the way is blocked; the value of its metric. */
export const circuitStates = ['closed', 'trying', 'open'] as const
export type CircuitState = (typeof circuitStates)[number]

/** A call that may be made, to be told how it went. */
export type Call = number

interface CircuitBreakerOptions {
  onChange(state: CircuitState): void
  /** The monotonic clock, in milliseconds. */
  now?(): number
}

/** The last calls that are judged, and how many of them have to fail: half, as is usual (Resilience4j, Hystrix). */
const JUDGED_CALLS = 20
const FAILURES_TO_OPEN = 10
/** What callers are told in `Retry-After` as well. */
const OPEN_MS = 1000

/**
 * Spares callers the wait for what fails anyway, and what fails the calls. It opens when half of the last calls failed;
 * after a second one call at a time tries whether that is over.
 *
 *     closed ── half of the last 20 calls failed ──▶ open ── 1 s ──▶ trying ── a call succeeds ──▶ closed
 *                                                     ▲                 │
 *                                                     └── a call fails ─┘
 *
 * A library (opossum) brings limits of time and cancelling, which the calls of orders-client.ts have already, and cannot be
 * told that a call was abandoned; what is left to do is to count.
 */
export class CircuitBreaker {
  readonly #onChange: (state: CircuitState) => void
  readonly #now: () => number
  #state: CircuitState = 'closed'
  /** Of a call that was begun in another period, the outcome says nothing of this one. */
  #period: Call = 0
  /** The outcomes of the last calls, oldest first; true is a failure. */
  #outcomes: boolean[] = []
  #openedAtMs = 0
  #isTried = false

  constructor({ onChange, now = monotonicMs }: CircuitBreakerOptions) {
    this.#onChange = onChange
    this.#now = now
  }

  get state(): CircuitState {
    return this.#state
  }

  /** Whether a call would be refused now. */
  refuses(): boolean {
    if (this.#state === 'closed') return false
    if (this.#state === 'trying') return this.#isTried
    return this.#now() - this.#openedAtMs < OPEN_MS
  }

  /** @returns undefined when the call must not be made; otherwise one of the three below has to follow */
  begin(): Call | undefined {
    if (this.refuses()) return undefined
    if (this.#state === 'open') this.#change('trying')
    if (this.#state === 'trying') this.#isTried = true
    return this.#period
  }

  succeeded(call: Call): void {
    if (call !== this.#period) return
    if (this.#state === 'trying') this.#change('closed')
    else this.#note(false)
  }

  failed(call: Call): void {
    if (call !== this.#period) return
    if (this.#state === 'trying') this.#change('open')
    else this.#note(true)
  }

  /** It ended without saying anything of the one who was called: the client left, or had too little time. */
  abandoned(call: Call): void {
    if (call === this.#period) this.#isTried = false
  }

  #note(isFailure: boolean): void {
    this.#outcomes.push(isFailure)
    if (this.#outcomes.length > JUDGED_CALLS) this.#outcomes.shift()
    if (!isFailure || this.#outcomes.length < JUDGED_CALLS) return
    if (this.#outcomes.filter(Boolean).length >= FAILURES_TO_OPEN) this.#change('open')
  }

  #change(state: CircuitState): void {
    this.#state = state
    this.#period++
    this.#outcomes = []
    this.#isTried = false
    if (state === 'open') this.#openedAtMs = this.#now()
    this.#onChange(state)
  }
}
