import type { MetricPoint } from '../../../apm-agent/metrics.ts'
import { monotonicMs } from '../../../lib/units.ts'
import {
  type Circuit,
  CircuitCell,
  type CircuitMemory,
  type CircuitState,
  circuitStates,
} from './circuit-cell.ts'

/** A permitted call, whose outcome has to be reported. */
export type Call = number

interface CircuitBreakerOptions {
  /** The memory of this circuit, which breakers in other threads may share. */
  readonly memory: CircuitMemory
  /** A trial that takes longer, in milliseconds, has died with its thread. Another call may then try. */
  readonly trialLimitMs: number
  /** Called in the thread whose call caused the change. */
  onChange(state: CircuitState): void
  /** The monotonic clock, in milliseconds. */
  now?(): number
}

/** The number of failures among the last 20 calls that opens the circuit: half, as is usual (Resilience4j, Hystrix). */
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
 * The state is in shared memory, so that all threads of a process have one circuit: each thread has a breaker of its own
 * over the same memory.
 *
 * No library is used: opossum brings time limits and cancelling, which the calls of orders-client.ts already have, and
 * it has no outcome "abandoned". The rest is only counting.
 */
export class CircuitBreaker {
  readonly #cell: CircuitCell
  readonly #trialLimitMs: number
  readonly #onChange: (state: CircuitState) => void
  readonly #now: () => number

  constructor({ memory, trialLimitMs, onChange, now = monotonicMs }: CircuitBreakerOptions) {
    this.#cell = new CircuitCell(memory)
    this.#trialLimitMs = trialLimitMs
    this.#onChange = onChange
    this.#now = now
  }

  get state(): CircuitState {
    return this.#cell.read().state
  }

  /** Whether a call would be refused now. */
  refuses(): boolean {
    return this.#refuses(this.#cell.read())
  }

  /**
   * @returns undefined when the call must not be made; otherwise the caller must report one of the three outcomes below
   */
  begin(): Call | undefined {
    const begun = this.#update(circuit => {
      if (this.#refuses(circuit)) return undefined
      if (circuit.state === 'closed') return circuit
      const trying = circuit.state === 'open' ? changed(circuit, 'trying') : circuit
      return { ...trying, isTried: true }
    })
    return begun?.period
  }

  succeeded(call: Call): void {
    this.#conclude(call, circuit =>
      circuit.state === 'trying' ? changed(circuit, 'closed') : CircuitCell.note(circuit, false),
    )
  }

  failed(call: Call): void {
    this.#conclude(call, circuit => {
      if (circuit.state === 'trying') return changed(circuit, 'open')
      const noted = CircuitCell.note(circuit, true)
      return CircuitCell.failures(noted) >= FAILURES_TO_OPEN ? changed(circuit, 'open') : noted
    })
  }

  /** Reports an outcome that says nothing about the upstream: the client left, or the call had too little time. */
  abandoned(call: Call): void {
    this.#conclude(call, circuit => ({ ...circuit, isTried: false }))
  }

  /** The outcome of a call from an earlier period does not count. */
  #conclude(call: Call, next: (circuit: Circuit) => Circuit): void {
    this.#update(circuit => (circuit.period === call ? next(circuit) : undefined))
  }

  #refuses({ state, isTried }: Circuit): boolean {
    if (state === 'closed') return false
    const elapsedMs = this.#now() - this.#cell.sinceMs
    return state === 'open' ? elapsedMs < OPEN_MS : isTried && elapsedMs < this.#trialLimitMs
  }

  /** Replaces the circuit, again if another thread has replaced it meanwhile. Returns the new one. */
  #update(next: (circuit: Circuit) => Circuit | undefined): Circuit | undefined {
    for (;;) {
      const circuit = this.#cell.read()
      const updated = next(circuit)
      if (!updated || updated === circuit) return updated
      const isTimed = updated.state !== 'closed' && (updated.isTried || updated.state !== circuit.state)
      if (isTimed) this.#cell.sinceMs = this.#now()
      if (!this.#cell.replace(circuit, updated)) continue
      if (updated.state !== circuit.state) this.#onChange(updated.state)
      return updated
    }
  }
}

const changed = (circuit: Circuit, state: CircuitState): Circuit => ({
  state,
  isTried: false,
  outcomes: CircuitCell.NO_OUTCOMES,
  period: (circuit.period + 1) & 0xff,
})

/** The state of each circuit breaker, by the operation that it guards. */
export const circuitPoints = (circuits: Readonly<Record<string, CircuitBreaker>>): MetricPoint[] =>
  Object.entries(circuits).map(([operation, { state }]) => ({
    metric: 'app.upstream.circuit',
    value: circuitStates.indexOf(state),
    attributes: { 'app.upstream.operation': operation },
  }))
