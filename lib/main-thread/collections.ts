/** An item holds its own links. It can be in one list at a time. */
export interface Linked<Item> {
  previous?: Item | undefined
  next?: Item | undefined
}

/**
 * A list in the order in which items were added, from which any item can be removed in constant time.
 *
 * A `Set` or `Map` whose members come and go keeps dead ones alive. V8 replaces its table every few dozen members, and
 * the old table points to the new one. Once one old table is in the old generation, the collector of young objects takes
 * it for alive, and with it all later tables and the members that each had, until the next collection of all objects. An item that leaves this list points to no other.
 */
export class LinkedList<Item extends Linked<Item>> {
  #first: Item | undefined
  #last: Item | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  get first(): Item | undefined {
    return this.#first
  }

  /** @param item in this list, or in none */
  has(item: Item): boolean {
    return item.previous !== undefined || item === this.#first
  }

  /** @param item in no list */
  add(item: Item): void {
    item.previous = this.#last
    item.next = undefined
    if (this.#last) this.#last.next = item
    else this.#first = item
    this.#last = item
    this.#size++
  }

  /** @param item in this list, or in none @returns whether it was in this list */
  delete(item: Item): boolean {
    if (!this.has(item)) return false
    const { previous, next } = item
    if (previous) previous.next = next
    else this.#first = next
    if (next) next.previous = previous
    else this.#last = previous
    item.previous = undefined
    item.next = undefined
    this.#size--
    return true
  }

  /** The item that was returned last may be removed at any time, and no other. */
  *[Symbol.iterator](): Generator<Item> {
    for (let item = this.#first; item; ) {
      const { next } = item as Linked<Item>
      yield item
      item = next
    }
  }
}
