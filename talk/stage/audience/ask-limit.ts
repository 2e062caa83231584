const SECOND_MS = 1000

interface Limits {
  /** Requests a second from one address. */
  readonly each: number
  /** Requests a second from all addresses. */
  readonly all: number
}

/** Limits requests by the second, so that it never knows more addresses than requests that it allows in one. */
export class AskLimit {
  readonly #limits: Limits
  readonly #byAddress = new Map<string, number>()
  #all = 0
  #second = Number.NaN

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Whether a request may pass; then it counts. @param nowMs milliseconds by a clock that does not go back */
  allows(address: string, nowMs = performance.now()): boolean {
    this.#begin(Math.floor(nowMs / SECOND_MS))
    const own = this.#byAddress.get(address) ?? 0
    if (own >= this.#limits.each || this.#all >= this.#limits.all) return false
    this.#byAddress.set(address, own + 1)
    this.#all++
    return true
  }

  #begin(second: number): void {
    if (second === this.#second) return
    this.#second = second
    this.#all = 0
    this.#byAddress.clear()
  }
}
