import { type Linked, LinkedList } from '../../../lib/main-thread/collections.ts'
import { monotonicMs } from '../../../lib/units.ts'

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
   * Settles with what was made, or with the result of `tooLate` if the deadline comes first.
   * @param deadline in milliseconds by the monotonic clock
   * @param discard is called with what was made too late
   * @returns takes what was made, once
   */
  meet<T>(
    deadline: number,
    settle: (made: T) => void,
    tooLate: () => T,
    discard: (made: T) => void,
  ): (made: T) => void {
    const open: Open = { deadline, expire: () => settle(tooLate()) }
    this.#open.add(open)
    this.#timer ??= this.#wakeAt(deadline)
    return made => (this.#open.delete(open) ? settle(made) : discard(made))
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
