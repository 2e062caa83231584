import { monotonicMs } from '../../../lib/units.ts'

/** The states of a circuit breaker in the order of severity. The index is the value of its metric. */
export const circuitStates = ['closed', 'trying', 'open'] as const
export type CircuitState = (typeof circuitStates)[number]

/** A permitted call, whose outcome has to be reported: the number of the period in which it began. */
export type PermittedCall = number

/** A call is abandoned if its outcome says nothing about the upstream: the client left, or the call had too little time. */
export type CallOutcome = 'succeeded' | 'failed' | 'abandoned'

interface CircuitBreakerOptions {
  onChange(state: CircuitState): void
  /** The monotonic clock, in milliseconds. */
  now?(): number
}

const JUDGED_CALLS = 20
/** The number of failures among them that opens the circuit: half, as is usual (Resilience4j, Hystrix). */
const FAILURES_TO_OPEN = 10
/** Clients get the same time in `Retry-After`. */
const OPEN_MS = 1000

/**
 * Refuses calls that would probably fail. Callers then need not wait, and the upstream gets no calls while it is
 * failing. The circuit opens when half of the last calls failed; after one second it lets one call at a time try
 * whether the failure is over.
 *
 *     closed ── half of the last 20 calls failed ──▶ open ── 1 s ──▶ trying ── a call succeeds ──▶ closed
 *                                                     ▲                 │
 *                                                     └── a call fails ─┘
 *
 * No library is used: opossum brings time limits and cancelling, which the client has already, and it has no outcome
 * "abandoned". The rest is only counting.
 */
export class CircuitBreaker {
  readonly #onChange: (state: CircuitState) => void
  readonly #now: () => number
  #state: CircuitState = 'closed'
  #openedAtMs = 0
  #isTried = false
  /** The number of the current period, which changes with the state. */
  #period = 0
  /** Whether each of the last calls failed, in a ring. */
  readonly #outcomes = new Array<boolean>(JUDGED_CALLS)
  #calls = 0
  #failures = 0

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
    return this.#state === 'open' ? this.#now() - this.#openedAtMs < OPEN_MS : this.#isTried
  }

  /**
   * @returns undefined when the call must not be made; otherwise the caller must report how the call ended
   */
  begin(): PermittedCall | undefined {
    if (this.refuses()) return undefined
    if (this.#state === 'open') this.#change('trying')
    this.#isTried = this.#state === 'trying'
    return this.#period
  }

  /** Reports how a call ended. One from an earlier period does not count. */
  end(call: PermittedCall, outcome: CallOutcome): void {
    if (call !== this.#period) return
    if (outcome === 'abandoned') this.#isTried = false
    else if (this.#state === 'trying') this.#change(outcome === 'failed' ? 'open' : 'closed')
    else this.#note(outcome === 'failed')
  }

  #note(isFailure: boolean): void {
    const place = this.#calls++ % JUDGED_CALLS
    if (this.#outcomes[place]) this.#failures--
    this.#outcomes[place] = isFailure
    if (!isFailure) return
    this.#failures++
    if (this.#calls >= JUDGED_CALLS && this.#failures >= FAILURES_TO_OPEN) this.#change('open')
  }

  #change(state: CircuitState): void {
    this.#state = state
    this.#period++
    this.#isTried = false
    this.#outcomes.fill(false)
    this.#calls = 0
    this.#failures = 0
    if (state === 'open') this.#openedAtMs = this.#now()
    this.#onChange(state)
  }
}
