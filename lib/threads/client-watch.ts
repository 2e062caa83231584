/** The client of a request, as the work for it sees it. */
export class ClientWatch {
  #gone = false
  #listeners: Set<() => void> | undefined

  /** Whether nobody waits for the answer any more: the client has closed the connection, or the answer is late. */
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
  abort(): void {
    this.#gone = true
    for (const listener of this.#listeners ?? []) listener()
    this.#listeners = undefined
  }
}
