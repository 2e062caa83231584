/** Number of cancelled jobs that are remembered, because a worker may still pull them. */
const REMEMBERED = 1000

/** Jobs that were cancelled before they came. */
export class Cancelled {
  readonly #keys = new Set<string>()

  add(key: string): void {
    this.#keys.add(key)
    const [oldest] = this.#keys
    if (this.#keys.size > REMEMBERED) this.#keys.delete(oldest as string)
  }

  /** @returns whether the job was cancelled */
  take(key: string): boolean {
    return this.#keys.delete(key)
  }
}
