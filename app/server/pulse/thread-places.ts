/**
 * The places of a pool's threads. A thread keeps its place for as long as it lives, and its replacement takes the free
 * place: so that the lane of each thread on the live page is its own, whatever order the pool has.
 */
export class ThreadPlaces {
  /** The id of the thread at each place; undefined at a free place. */
  readonly #threads: (number | undefined)[] = []

  /**
   * @param ids the threads that live now
   * @returns the number of the place of each thread, from 1
   */
  numbersOf(ids: Iterable<number>): number[] {
    const present = new Set(ids)
    for (const [place, id] of this.#threads.entries())
      if (id !== undefined && !present.has(id)) this.#threads[place] = undefined
    return [...present].map(id => this.#placeOf(id) + 1)
  }

  #placeOf(id: number): number {
    const own = this.#threads.indexOf(id)
    if (own >= 0) return own
    const free = this.#threads.indexOf(undefined)
    const place = free >= 0 ? free : this.#threads.length
    this.#threads[place] = id
    return place
  }
}
