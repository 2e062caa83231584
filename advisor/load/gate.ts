/** Lets work begin while it is open, and knows when all work that has begun has ended. */
export class Gate {
  /** Resolves while the gate is open. */
  opened: Promise<void> = Promise.resolve()
  #open: (() => void) | undefined
  #underWay = 0
  #drained: (() => void) | undefined

  get isClosed(): boolean {
    return this.#open !== undefined
  }

  async pass<T>(work: Promise<T>): Promise<T> {
    this.#underWay++
    try {
      return await work
    } finally {
      if (--this.#underWay === 0) this.#drained?.()
    }
  }

  /** Lets nothing more begin. Resolves once all that has begun has ended. */
  async close(): Promise<void> {
    if (!this.isClosed) {
      this.opened = new Promise(resolve => {
        this.#open = resolve
      })
    }
    if (this.#underWay > 0) {
      await new Promise<void>(resolve => {
        this.#drained = resolve
      })
    }
  }

  open(): void {
    this.#open?.()
    this.#open = undefined
    this.opened = Promise.resolve()
  }
}
