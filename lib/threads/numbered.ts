/**
 * Values by number, for what comes and goes as long as a process runs. A `Map` is not good at that: from time to time it gets
 * a new table, to which its old one still points. Once a dead table is in V8's old generation, all that later ones ever
 * held survives each collection of young objects, until the whole heap is marked.
 */
export class Numbered<Value> {
  readonly #values: Record<number, Value> = Object.create(null)
  size = 0

  get(id: number): Value | undefined {
    return this.#values[id]
  }

  /** Adds a value under a number that is free. */
  add(id: number, value: Value): void {
    this.#values[id] = value
    this.size++
  }

  delete(id: number): void {
    if (this.#values[id] === undefined) return
    delete this.#values[id]
    this.size--
  }

  values(): Value[] {
    return Object.values(this.#values)
  }

  entries(): [id: number, value: Value][] {
    return Object.entries(this.#values).map(([id, value]) => [Number(id), value])
  }
}
