/**
 * Values by number, for what comes and goes for long. A `Map` gets a new table from time to time, to which its old one points: once a
 * dead table is in V8's old generation, all that later ones ever held survives until the whole heap is marked.
 */
export class Numbered<Value> {
  readonly #values: Record<number, Value> = Object.create(null)
  size = 0

  get(id: number): Value | undefined {
    return this.#values[id]
  }

  /** @param id is free */
  add(id: number, value: Value): void {
    this.#values[id] = value
    this.size++
  }

  delete(id: number): void {
    if (this.#values[id] !== undefined) this.size--
    delete this.#values[id]
  }

  entries(): [id: number, value: Value][] {
    return Object.entries(this.#values).map(([id, value]) => [Number(id), value])
  }
}
