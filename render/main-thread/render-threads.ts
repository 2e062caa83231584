import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { ProgressWatch } from '../../lib/main-thread/progress-watch.ts'
import type { Outcome } from '../../lib/main-thread/work-queue.ts'
import { createMarks, type SlotMarks } from '../../lib/slot-marks.ts'
import { readThreads } from '../../lib/thread-usage.ts'
import type { PartCall, PartMessage, PartReply, RenderThreadData, RenderThreadMessage } from '../protocol.ts'

/** Two messages keep a thread busy while a reply travels. */
export const MESSAGES_PER_THREAD = 2
const RESTART_DELAY_MS = 500

interface RenderThreadsOptions {
  readonly size: number
  readonly rendererFile: string
  /** Nice value, see `lowerPriority`. */
  readonly priority: number
  /** A busy thread that makes no progress for this time is replaced. */
  readonly stuckAfterMs: number
  /** The limit of the heap of a thread, in MiB. A thread that exceeds it is replaced. */
  readonly memoryMib: number
}

interface Thread {
  readonly worker: Worker
  /** The callers that wait for a reply, by the slot of their message. */
  readonly waiting: Map<number, (outcome: Outcome<PartReply>) => void>
  readonly ready: Promise<void>
  isReady: boolean
  /** Number of messages that the thread has answered. */
  answers: number
}

/**
 * Threads that render. Messages are posted to them directly: `WorkQueue` does the queueing of a pool library, whose
 * round trip would cost more. Slots are assigned to threads in turn.
 */
export class RenderThreads {
  readonly #options: RenderThreadsOptions
  readonly #threads: Thread[]
  readonly #started: SlotMarks
  readonly #watch: ProgressWatch<Thread>
  #closing = false

  constructor(options: RenderThreadsOptions) {
    this.#options = options
    const slots = options.size * MESSAGES_PER_THREAD
    this.#started = createMarks(slots)
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

  /** Sends parts to a thread. It never rejects: when the thread dies, its parts are lost. */
  dispatch(calls: readonly PartCall[], slot: number): Promise<Outcome<PartReply>> {
    const thread = this.#threads[slot % this.#threads.length] as Thread
    Atomics.store(this.#started, slot, 0)
    return new Promise(resolve => {
      thread.waiting.set(slot, resolve)
      this.#watch.wake()
      thread.worker.postMessage({ calls, slot } satisfies PartMessage)
    })
  }

  /** CPU time in microseconds, by thread id. */
  readCpuMicros(): Promise<Map<number, number>> {
    return readThreads(this.#threads.map(({ worker }) => worker))
  }

  kill(): void {
    void this.#threads[0]?.worker.terminate()
  }

  async close(): Promise<void> {
    this.#closing = true
    this.#watch.close()
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()))
  }

  #start(index: number): Thread {
    const { rendererFile, priority, memoryMib } = this.#options
    const workerData: RenderThreadData = { rendererFile, priority, started: this.#started }
    const worker = new Worker(join(import.meta.dirname, '../thread.ts'), {
      name: 'render',
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: memoryMib },
    })
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
    ready.catch(() => {})
    const thread: Thread = {
      worker,
      waiting: new Map(),
      ready,
      isReady: false,
      answers: 0,
    }
    worker.on('message', (message: RenderThreadMessage) => {
      if (message.kind === 'ready') {
        thread.isReady = true
        resolve()
      } else {
        thread.answers++
        const settle = thread.waiting.get(message.slot)
        thread.waiting.delete(message.slot)
        settle?.({ kind: 'replies', replies: message.replies })
      }
    })
    worker.on('error', reject)
    worker.once('exit', code => {
      reject(new Error(`a render thread ended with ${code} before it was ready`))
      this.#replace(thread, index)
    })
    return thread
  }

  /**
   * Starts a new thread at once, or after a pause if the dead one was never ready. The jobs of the dead thread are
   * given back once the new thread exists, so that it can take them.
   */
  #replace(dead: Thread, index: number): void {
    if (this.#closing) return
    const start = () => {
      if (this.#closing) return
      this.#threads[index] = this.#start(index)
      for (const [slot, settle] of dead.waiting)
        settle({ kind: 'lost', started: Atomics.load(this.#started, slot) })
    }
    if (dead.isReady) start()
    else setTimeout(start, RESTART_DELAY_MS).unref()
  }

  /** The progress of the threads with messages: their answered messages and started parts, once they are ready. */
  #readProgress() {
    return this.#threads
      .filter(({ waiting }) => waiting.size > 0)
      .map(thread => {
        const marks = [...thread.waiting.keys()].map(slot => Atomics.load(this.#started, slot))
        return [thread, thread.isReady ? `${thread.answers} ${marks}` : null] as const
      })
  }
}
