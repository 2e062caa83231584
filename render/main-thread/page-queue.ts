import { JobFailed, type MessageEnd } from '../../lib/main-thread/job.ts'
import { WorkQueue } from '../../lib/main-thread/work-queue.ts'
import { createMarks } from '../../lib/threads/thread-setup.ts'
import type { PageJob } from './page-job.ts'

/** So many times as many pages as a queue has places may be in threads, the others of them waiting for data. */
const SHARE_OF_WAITING = 16

interface PageQueueOptions {
  readonly threads: number
  readonly pagesAtOnce: number
  /** Number of pages in threads that wait for data. */
  countWaiting(): number
  /** Sends a page to a thread. */
  dispatch(page: PageJob, slot: number): Promise<MessageEnd<undefined>>
}

/**
 * The pages that wait for a thread. A page in a thread takes one of so many places, unless it only waits for data. Threads
 * note in shared memory which pages do, so they are counted when a page needs a place, and not before.
 */
export class PageQueue {
  /** Number of pages that may be in threads. */
  readonly slots: number
  /** Its only number is 1 while pages wait here: threads then tell when a page begins to wait for data. */
  readonly crowded = createMarks(1)
  readonly #options: PageQueueOptions
  readonly #queue: WorkQueue<PageJob, undefined>

  constructor(options: PageQueueOptions) {
    const { threads, pagesAtOnce, dispatch } = options
    this.#options = options
    this.slots = pagesAtOnce * SHARE_OF_WAITING
    this.#queue = new WorkQueue({
      workers: threads,
      slots: pagesAtOnce,
      jobsPerMessage: 1,
      dispatch: ([page], slot) => {
        if (this.length === 0) this.#calm()
        return dispatch(page as PageJob, slot)
      },
    })
  }

  get length(): number {
    return this.#queue.length
  }

  oldestWaitMs(): number {
    return this.#queue.oldestWaitMs()
  }

  add(page: PageJob): void {
    this.#queue.enqueue(page, page, end => end instanceof JobFailed && page.giveUp(end))
    if (this.length === 0) return
    // The threads look after they have noted a state, and this looks at the states after that: one of them sees the other.
    Atomics.store(this.crowded, 0, 1)
    this.makeRoom()
  }

  /** Hands out as many pages as others wait for data. */
  makeRoom(): void {
    if (this.length === 0) return
    const { threads, pagesAtOnce, countWaiting } = this.#options
    this.#queue.resize(threads, Math.min(this.slots, pagesAtOnce + countWaiting()))
  }

  /** Refuses the pages that wait, and all that come later. */
  close(): void {
    this.#queue.close()
  }

  #calm(): void {
    if (Atomics.exchange(this.crowded, 0, 0) === 0) return
    this.#queue.resize(this.#options.threads, this.#options.pagesAtOnce)
  }
}
