import { monotonicMs } from '../../lib/units.ts'

interface Open {
  readonly deadline: number
  expire(): void
}

/** What knows better why it is late, such as a queue or the upstream call, has so long to say so. */
const GRACE_MS = 10

/**
 * Answers that have to be ready by a deadline. All requests have the same time, so that the first to come is the first
 * whose time is up, and one timer is enough.
 */
export class Deadlines {
  readonly #open = new Set<Open>()
  #timer: NodeJS.Timeout | undefined

  /**
   * What `making` makes, or what `tooLate` gives when that takes until the deadline.
   * @param deadline by {@link monotonicMs}
   * @param making never rejects
   * @param discard is given what was made too late
   */
  meet<T>(making: Promise<T>, deadline: number, tooLate: () => T, discard: (made: T) => void): Promise<T> {
    return new Promise(resolve => {
      const open: Open = { deadline, expire: () => resolve(tooLate()) }
      this.#open.add(open)
      this.#timer ??= this.#wakeAt(deadline)
      void making.then(made => (this.#open.delete(open) ? resolve(made) : discard(made)))
    })
  }

  #wakeAt(deadline: number): NodeJS.Timeout {
    return setTimeout(() => this.#look(), Math.max(1, deadline + GRACE_MS - monotonicMs())).unref()
  }

  #look(): void {
    this.#timer = undefined
    const now = monotonicMs()
    for (const open of this.#open) {
      if (open.deadline + GRACE_MS > now) {
        this.#timer = this.#wakeAt(open.deadline)
        return
      }
      this.#open.delete(open)
      open.expire()
    }
  }
}
