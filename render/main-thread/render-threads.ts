import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { ProgressWatch } from '../../lib/main-thread/progress-watch.ts'
import type { Outcome } from '../../lib/main-thread/work-queue.ts'
import { createMarks, type SlotMarks } from '../../lib/slot-marks.ts'
import { readThreads } from '../../lib/thread-usage.ts'
import type { PartCall, PartMessage, PartReply, RenderThreadData, RenderThreadMessage } from '../protocol.ts'

/** Two keep a thread busy while an answer travels. */
export const MESSAGES_PER_THREAD = 2
const RESTART_DELAY_MS = 500

interface RenderThreadsOptions {
  readonly size: number
  readonly rendererFile: string
  /** Nice value. */
  readonly priority: number
  /** A thread that has work and gets no further with it for so long is replaced. */
  readonly stuckAfterMs: number
  /** How large a thread's heap may become; it is replaced then. */
  readonly memoryMib: number
}

interface Thread {
  readonly worker: Worker
  /** Who waits for the answer to a message, by its slot. */
  readonly waiting: Map<number, (outcome: Outcome<PartReply>) => void>
  readonly ready: Promise<void>
  isReady: boolean
  /** How many messages it has answered. */
  answers: number
}

/**
 * Threads that render. Each is posted to directly: what a pool of a library adds to that, queueing above all, is done
 * by `WorkQueue`, and its round trip costs more. Slots are dealt out to threads in turn.
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

  /** Never rejects: when the thread dies, its parts are lost. */
  dispatch(calls: readonly PartCall[], slot: number): Promise<Outcome<PartReply>> {
    const thread = this.#threads[slot % this.#threads.length] as Thread
    Atomics.store(this.#started, slot, 0)
    return new Promise(resolve => {
      thread.waiting.set(slot, resolve)
      thread.worker.postMessage({ calls, slot } satisfies PartMessage)
    })
  }

  /** CPU time by thread id. */
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

  /** What the dead thread had is given back once another is there to take it; at once, unless it did not even come up. */
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

  /** What the threads that have work got done, and begun. */
  #readProgress() {
    return this.#threads
      .filter(({ isReady, waiting }) => isReady && waiting.size > 0)
      .map(thread => {
        const marks = [...thread.waiting.keys()].map(slot => Atomics.load(this.#started, slot))
        return [thread, `${thread.answers} ${marks}`] as const
      })
  }
}
