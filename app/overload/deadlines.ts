import { type Linked, LinkedList } from '../../lib/main-thread/linked-list.ts'
import { monotonicMs } from '../../lib/units.ts'

interface Open extends Linked<Open> {
  readonly deadline: number
  expire(): void
}

/** A queue or the upstream call knows better why it is late. It has this time to report that itself. */
const GRACE_MS = 10

/**
 * Answers that have to be ready by a deadline. All requests have the same time budget, so the first to arrive is the
 * first to expire, and one timer is enough.
 */
export class Deadlines {
  readonly #open = new LinkedList<Open>()
  #timer: NodeJS.Timeout | undefined

  /**
   * Resolves with the result of `making`, or with that of `tooLate` if the deadline comes first.
   * @param deadline in milliseconds by the monotonic clock
   * @param making never rejects
   * @param discard is called with a result that came too late
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
    for (let open = this.#open.first; open; open = this.#open.first) {
      if (open.deadline + GRACE_MS > now) {
        this.#timer = this.#wakeAt(open.deadline)
        return
      }
      this.#open.delete(open)
      open.expire()
    }
  }
}
