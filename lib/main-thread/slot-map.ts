/**
 * Values by slot: a small number that is used again. Unlike a `Map`, it does not keep values alive that were deleted; see
 * `LinkedList`.
 */
export class SlotMap<Value extends object> {
  readonly #values: (Value | undefined)[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  get(slot: number): Value | undefined {
    return this.#values[slot]
  }

  /** @param slot a free slot */
  set(slot: number, value: Value): void {
    this.#values[slot] = value
    this.#size++
  }

  delete(slot: number): void {
    if (!this.#values[slot]) return
    this.#values[slot] = undefined
    this.#size--
  }

  slots(): number[] {
    return Array.from(this, ([slot]) => slot)
  }

  *[Symbol.iterator](): Generator<readonly [slot: number, value: Value]> {
    for (const [slot, value] of this.#values.entries()) if (value) yield [slot, value]
  }
}
