/** Whether the client of a request has disconnected. Listeners are called when it does. */
export class Departure {
  #gone = false
  #listeners: Set<() => void> | undefined

  /** Whether the client closed the connection before its answer was sent. */
  get gone(): boolean {
    return this.#gone
  }

  /** Calls `listener` when the client goes away. The returned function removes the listener. */
  onGone(listener: () => void): () => void {
    this.#listeners ??= new Set()
    this.#listeners.add(listener)
    return () => this.#listeners?.delete(listener)
  }

  /** Notes that the client has gone, and calls every listener once. */
  leave(): void {
    this.#gone = true
    for (const listener of this.#listeners ?? []) listener()
    this.#listeners = undefined
  }
}
