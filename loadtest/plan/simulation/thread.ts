/** The factor between the CPU shares of neighbouring nice values, see sched(7). */
const NICE_FACTOR = 1.25

interface Work {
  readonly cpuMicros: number
  readonly then: () => void
}

/** Does work, and counts it. */
export interface Server {
  /** CPU time that it has used. */
  readonly usedMicros: number
  /** How often it slept and was woken. */
  readonly wakeups: number
  work(cpuMicros: number, then?: () => void): void
}

/** A thread that does its work first in, first out, and sleeps when there is none. {@link Cores} say when it runs. */
export class SimulatedThread implements Server {
  /** CPU time divided by weight: the less, the sooner the thread runs. */
  virtualMicros = 0
  usedMicros = 0
  wakeups = 0
  readonly #weight: number
  readonly #wake: (thread: SimulatedThread) => void
  readonly #waiting: Work[] = []
  #first = 0
  #current: Work | null = null
  #leftMicros = 0
  #sinceMicros = 0
  #isRunning = false

  constructor(nice: number, wake: (thread: SimulatedThread) => void) {
    this.#weight = NICE_FACTOR ** -nice
    this.#wake = wake
  }

  /** Number of pieces of work that are not finished. */
  get length(): number {
    return this.#waiting.length - this.#first + (this.#current ? 1 : 0)
  }

  /** Adds a piece of work, and wakes the thread if it sleeps. */
  work(cpuMicros: number, then: () => void = nothing): void {
    const work = { cpuMicros, then }
    if (this.#current) {
      this.#waiting.push(work)
      return
    }
    this.#current = work
    this.#leftMicros = cpuMicros
    this.wakeups++
    this.#wake(this)
  }

  /** The virtual time at this moment, also while the thread runs. */
  virtualAt(nowMicros: number): number {
    const running = this.#isRunning ? Math.max(0, nowMicros - this.#sinceMicros) : 0
    return this.virtualMicros + running / this.#weight
  }

  /** CPU time in virtual time. */
  inVirtualTime(cpuMicros: number): number {
    return cpuMicros / this.#weight
  }

  get endsAtMicros(): number {
    return this.#sinceMicros + this.#leftMicros
  }

  /** The thread gets a core. */
  enter(atMicros: number): void {
    this.#isRunning = true
    this.#sinceMicros = atMicros
  }

  /** The thread loses its core. */
  leave(atMicros: number): void {
    this.#account(atMicros)
    this.#isRunning = false
  }

  /**
   * The current piece of work is done.
   * @returns whether there is more to do
   */
  finishWork(atMicros: number): boolean {
    this.#account(atMicros)
    this.#current?.then()
    this.#current = this.#takeNext()
    this.#leftMicros = this.#current?.cpuMicros ?? 0
    if (!this.#current) this.#isRunning = false
    return this.#current !== null
  }

  #account(atMicros: number): void {
    const ranMicros = Math.max(0, atMicros - this.#sinceMicros)
    this.usedMicros += ranMicros
    this.virtualMicros += ranMicros / this.#weight
    this.#leftMicros -= ranMicros
    this.#sinceMicros = Math.max(atMicros, this.#sinceMicros)
  }

  #takeNext(): Work | null {
    if (this.#first === this.#waiting.length) return null
    const next = this.#waiting[this.#first++] as Work
    if (this.#first === this.#waiting.length || this.#first > MANY) {
      this.#waiting.splice(0, this.#first)
      this.#first = 0
    }
    return next
  }
}

/** So many finished pieces of work are removed at once. */
const MANY = 1024

const nothing = () => {}
