/** The states of a circuit breaker in the order of severity. The index is the value of its metric. */
export const circuitStates = ['closed', 'trying', 'open'] as const
export type CircuitState = (typeof circuitStates)[number]

/** The state of a circuit at one moment. */
export interface Circuit {
  readonly state: CircuitState
  /** Whether a call is trying whether the failure is over. */
  readonly isTried: boolean
  /** The outcomes of the last calls, one bit each, below a bit that is always set; 1 is a failure. */
  readonly outcomes: number
  /** The number of the current period, modulo 256. It changes with the state. */
  readonly period: number
}

/** Shared memory of a circuit. */
export interface CircuitMemory {
  readonly word: Int32Array<SharedArrayBuffer>
  readonly sinceMs: Float64Array<SharedArrayBuffer>
}

export const createCircuitMemory = (): CircuitMemory => {
  const memory = {
    word: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    sinceMs: new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)),
  }
  memory.word[0] = encode({ state: 'closed', isTried: false, outcomes: NO_OUTCOMES, period: 0 })
  return memory
}

/** The number of last calls that are judged. */
const JUDGED_CALLS = 20
const NO_OUTCOMES = 1
const FULL = 1 << JUDGED_CALLS

/**
 * A circuit in shared memory. All of it is one 32-bit word that is replaced as a whole, and nothing is locked: a thread
 * may be killed at any moment, and would never unlock it.
 *
 *     bits  31 ─ 24   23 ── 3   2     1 ─ 0
 *           period    outcomes  tried state
 */
export class CircuitCell {
  static readonly NO_OUTCOMES = NO_OUTCOMES
  readonly #memory: CircuitMemory

  constructor(memory: CircuitMemory) {
    this.#memory = memory
  }

  read(): Circuit {
    return decode(Atomics.load(this.#memory.word, 0))
  }

  /** @returns false if the circuit was no longer `expected`, and so was not replaced */
  replace(expected: Circuit, replacement: Circuit): boolean {
    const word = encode(expected)
    return Atomics.compareExchange(this.#memory.word, 0, word, encode(replacement)) === word
  }

  /** The time at which the circuit opened or its trial began, in milliseconds by the monotonic clock. */
  get sinceMs(): number {
    return this.#memory.sinceMs[0] as number
  }

  set sinceMs(atMs: number) {
    this.#memory.sinceMs[0] = atMs
  }

  /** The circuit with the outcome of one more call, and without the oldest if there are too many. */
  static note(circuit: Circuit, isFailure: boolean): Circuit {
    const shifted = (circuit.outcomes << 1) | (isFailure ? 1 : 0)
    const outcomes = shifted < 2 * FULL ? shifted : (shifted & (FULL - 1)) | FULL
    return { ...circuit, outcomes }
  }

  /** Number of failures among the last calls; 0 while there were fewer than are judged. */
  static failures({ outcomes }: Circuit): number {
    if (outcomes < FULL) return 0
    let failures = 0
    for (let rest = outcomes & (FULL - 1); rest; rest &= rest - 1) failures++
    return failures
  }
}

const encode = ({ state, isTried, outcomes, period }: Circuit): number =>
  (period << 24) | (outcomes << 3) | (isTried ? 4 : 0) | circuitStates.indexOf(state)

const decode = (word: number): Circuit => ({
  state: circuitStates[word & 3] as CircuitState,
  isTried: (word & 4) !== 0,
  outcomes: (word >> 3) & 0x1fffff,
  period: word >>> 24,
})
