import { AsyncResource } from 'node:async_hooks'

/** Lets so many work at once; the others wait, first in, first out, and begin in the context in which they asked. */
export class Turns {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  /** Calls `begin` at once, or when it is its turn. Whoever has begun gives the turn back. */
  take(begin: () => void): void {
    if (this.#free > 0) {
      this.#free--
      begin()
    } else this.#waiting.push(AsyncResource.bind(begin))
  }

  giveBack(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}
