import { dispatchSendable } from '../../lib/main-thread/dispatch-sendable.ts'
import type { Outcome } from '../../lib/main-thread/job.ts'
import { ProgressWatch } from '../../lib/main-thread/progress-watch.ts'
import { MESSAGES_PER_THREAD } from '../../lib/main-thread/thread-messages.ts'
import { readThreads } from '../../lib/os/thread-usage.ts'
import { createMarks, type SlotMarks } from '../../lib/threads/slot-marks.ts'
import { type PageCall, type PagePieces, type PartReply, type SourceName, sourceNames } from '../protocol.ts'
import type { ThreadFile } from '../thread-data.ts'
import { RenderThread } from './render-thread.ts'

/**
 * Pages that the threads of a process make at the same time. This bounds their calls upstream, two for each page. It does
 * not depend on the number of threads, because waiting for data is no work.
 */
export const PAGES_AT_ONCE = 64
const RESTART_DELAY_MS = 500

export interface RenderThreadsOptions {
  readonly size: number
  readonly thread: ThreadFile
  /** Nice value, see `lowerPriority`. */
  readonly priority: number
  /** A busy thread that makes no progress for this time is replaced. */
  readonly stuckAfterMs: number
  /** The limit of the heap of a thread, in MiB. A thread that exceeds it is replaced. */
  readonly memoryMib: number
}

/**
 * Threads that render. Messages are posted to them directly: `WorkQueue` does the queueing of a pool library, whose
 * round trip would cost more. The slots of parts are assigned to threads in turn, and behind them are those of pages.
 */
export class RenderThreads {
  readonly #options: RenderThreadsOptions
  readonly #threads: RenderThread[]
  readonly #partSlots: number
  readonly #started: SlotMarks
  readonly #awaited: SlotMarks
  readonly #watch: ProgressWatch<RenderThread>
  #closing = false

  constructor(options: RenderThreadsOptions) {
    this.#options = options
    this.#partSlots = options.size * MESSAGES_PER_THREAD
    const slots = this.#partSlots + PAGES_AT_ONCE
    this.#started = createMarks(slots)
    this.#awaited = createMarks(slots)
    this.#threads = Array.from({ length: options.size }, (_, index) => this.#start(index))
    this.#watch = new ProgressWatch(
      options.stuckAfterMs,
      () => this.#readProgress(),
      ({ worker }) => void worker.terminate(),
    )
  }

  /** @throws when a thread ends before it was ready */
  async ready(): Promise<void> {
    await Promise.all(this.#threads.map(({ ready }) => ready))
  }

  /**
   * Sends parts to a thread. It never rejects: when the thread dies, its parts are lost, and parts that cannot be copied
   * are not sent.
   */
  dispatch(calls: readonly unknown[], slot: number): Promise<Outcome<PartReply>> {
    return dispatchSendable(
      calls,
      sendable => this.#sendParts(sendable, slot),
      (error): PartReply => ({ kind: 'not sent', message: String(error) }),
    )
  }

  /**
   * Sends a page to the thread with the fewest slots in use. It never rejects: when the thread dies, the page is
   * lost, and `started` is the place of the part that was running, counted from 1, or 0.
   * @param slot counts pages only
   * @param take gets the pieces of the page as they come
   */
  dispatchPage(
    call: PageCall,
    slot: number,
    take: (pieces: PagePieces) => void,
  ): Promise<Outcome<undefined>> {
    const own = this.#partSlots + slot
    Atomics.store(this.#awaited, own, 0)
    return new Promise(resolve => {
      this.#begin(own)
      this.#findIdlest().sendPage(
        { call, slot: own },
        {
          take(pieces) {
            take(pieces)
            if (pieces.isLast) resolve({ kind: 'replies', replies: [undefined] })
          },
          lose: resolve,
        },
      )
    })
  }

  /** Tells the thread of a page that it is no longer wanted. */
  leavePage(slot: number, isClientGone: boolean): void {
    const message = { kind: 'leave', slot: this.#partSlots + slot, isClientGone } as const
    for (const thread of this.#threads) thread.leavePage(message)
  }

  /** Whether the thread of a page is fetching the data of this source. */
  awaits(slot: number, source: SourceName): boolean {
    const awaited = Atomics.load(this.#awaited, this.#partSlots + slot)
    return (awaited & (1 << sourceNames.indexOf(source))) !== 0
  }

  /** CPU time in microseconds, by thread id. */
  readCpuMicros(): Promise<Map<number, number>> {
    return readThreads(this.#threads.map(({ worker }) => worker))
  }

  /** Ends a thread. Resolves when another one is ready, or could not start. */
  async kill(): Promise<void> {
    await this.#threads[0]?.worker.terminate()
    await this.ready().catch(() => {})
  }

  async close(): Promise<void> {
    this.#closing = true
    this.#watch.close()
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()))
  }

  /** @throws what `postMessage` throws for parts that cannot be copied */
  #sendParts(calls: readonly unknown[], slot: number): Promise<Outcome<PartReply>> {
    const thread = this.#threads[slot % this.#threads.length] as RenderThread
    const { promise, resolve } = Promise.withResolvers<Outcome<PartReply>>()
    this.#begin(slot)
    thread.sendParts(
      { kind: 'parts', calls, slot },
      { take: replies => resolve({ kind: 'replies', replies }), lose: resolve },
    )
    return promise
  }

  #begin(slot: number): void {
    Atomics.store(this.#started, slot, 0)
    this.#watch.wake()
  }

  #findIdlest(): RenderThread {
    const busyness = ({ isReady, load }: RenderThread) => (isReady ? load : Number.POSITIVE_INFINITY)
    return this.#threads.reduce((idlest, thread) => (busyness(thread) < busyness(idlest) ? thread : idlest))
  }

  #start(index: number): RenderThread {
    const { thread: given, priority, memoryMib } = this.#options
    const data = { ...given.data, priority, started: this.#started, awaited: this.#awaited }
    const thread: RenderThread = new RenderThread(given.file, data, memoryMib, () =>
      this.#replace(thread, index),
    )
    return thread
  }

  /**
   * Starts a new thread at once, or after a pause if the dead one was never ready. The jobs of the dead thread are
   * given back once the new thread exists, so that it can take them.
   */
  #replace(dead: RenderThread, index: number): void {
    if (this.#closing) return
    const start = () => {
      if (this.#closing) return
      this.#threads[index] = this.#start(index)
      dead.giveBack(slot => Atomics.load(this.#started, slot))
    }
    if (dead.isReady) start()
    else setTimeout(start, RESTART_DELAY_MS).unref()
  }

  /**
   * The progress of the threads with something to do: their replies and the marks of running parts. A thread whose pages
   * all wait for data has no part that could be stuck.
   */
  #readProgress() {
    return this.#threads
      .filter(({ load }) => load > 0)
      .map(thread => {
        const { parts, pages } = thread.slots
        const marks = [...parts, ...pages].map(slot => Atomics.load(this.#started, slot))
        const isBusy = thread.isReady && (parts.length > 0 || marks.some(mark => mark !== 0))
        return [thread, isBusy ? `${thread.replies} ${marks}` : null] as const
      })
  }
}
