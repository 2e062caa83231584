import type { MetricPoint } from '../../../apm-agent/protocol.ts'
import { monotonicMs } from '../../../lib/units.ts'

/** The states of a circuit breaker in the order of severity. The index is the value of its metric. */
const circuitStates = ['closed', 'trying', 'open'] as const
export type CircuitState = (typeof circuitStates)[number]

/** A permitted call, whose outcome has to be reported. */
export type Call = number

interface CircuitBreakerOptions {
  onChange(state: CircuitState): void
  /** The monotonic clock, in milliseconds. */
  now?(): number
}

/**
 * The number of last calls that are judged, and the number of failures that open the circuit: half of them, as is usual
 * (Resilience4j, Hystrix).
 */
const JUDGED_CALLS = 20
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
 * No library is used: opossum brings time limits and cancelling, which the calls of orders-client.ts already have, and
 * it has no outcome "abandoned". The rest is only counting.
 */
export class CircuitBreaker {
  readonly #onChange: (state: CircuitState) => void
  readonly #now: () => number
  #state: CircuitState = 'closed'
  /** The number of the current period. The outcome of a call from another period does not count. */
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

  /**
   * @returns undefined when the call must not be made; otherwise the caller must report one of the three outcomes below
   */
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

  /** Reports an outcome that says nothing about the upstream: the client left, or the call had too little time. */
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

/** The state of each circuit breaker, by the operation that it guards. */
export const circuitPoints = (circuits: Readonly<Record<string, CircuitBreaker>>): MetricPoint[] =>
  Object.entries(circuits).map(([operation, { state }]) => ({
    metric: 'app.upstream.circuit',
    value: circuitStates.indexOf(state),
    attributes: { 'app.upstream.operation': operation },
  }))
