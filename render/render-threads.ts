import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { readThreads } from '../lib/thread-usage.ts'
import { monotonicMs } from '../lib/units.ts'
import type { StartMarks } from '../workers/protocol.ts'
import type { Outcome } from '../workers/work-queue.ts'
import type { PartCall, PartMessage, PartReply, RenderThreadData, RenderThreadMessage } from './protocol.ts'

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
}

interface Thread {
  readonly worker: Worker
  /** Who waits for the answer to a message, by its slot. */
  readonly waiting: Map<number, (outcome: Outcome<PartReply>) => void>
  readonly ready: Promise<void>
  isReady: boolean
  /** When it was last seen to get further, by the monotonic clock. */
  progressAtMs: number
  /** How many parts of each of its messages were started then. */
  lastMarks: string
}

/**
 * Threads that render. Each is posted to directly: what a pool of a library adds to that, queueing above all, is done
 * by `WorkQueue`, and its round trip costs more. Slots are dealt out to threads in turn.
 */
export class RenderThreads {
  readonly #options: RenderThreadsOptions
  readonly #threads: Thread[]
  readonly #started: StartMarks
  readonly #watch: NodeJS.Timeout
  #lookedAtMs = monotonicMs()
  #closing = false

  constructor(options: RenderThreadsOptions) {
    this.#options = options
    const slots = options.size * MESSAGES_PER_THREAD
    this.#started = new Int32Array(new SharedArrayBuffer(slots * Int32Array.BYTES_PER_ELEMENT))
    this.#threads = Array.from({ length: options.size }, (_, index) => this.#start(index))
    this.#watch = setInterval(() => this.#replaceStuck(), options.stuckAfterMs / 4).unref()
  }

  /** @throws when a thread ends before it was ready */
  async ready(): Promise<void> {
    await Promise.all(this.#threads.map(({ ready }) => ready))
  }

  /** Never rejects: when the thread dies, its parts are lost. */
  dispatch(calls: readonly PartCall[], slot: number): Promise<Outcome<PartReply>> {
    const thread = this.#threads[slot % this.#threads.length] as Thread
    Atomics.store(this.#started, slot, 0)
    if (thread.waiting.size === 0) thread.progressAtMs = monotonicMs()
    return new Promise(resolve => {
      thread.waiting.set(slot, resolve)
      thread.worker.postMessage({ calls, slot } satisfies PartMessage)
    })
  }

  /** CPU time by thread id. */
  readCpuMicros(): Promise<Map<number, number>> {
    return readThreads(this.#threads.map(({ worker }) => worker))
  }

  async close(): Promise<void> {
    this.#closing = true
    clearInterval(this.#watch)
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()))
  }

  #start(index: number): Thread {
    const { rendererFile, priority } = this.#options
    const workerData: RenderThreadData = { rendererFile, priority, started: this.#started }
    const worker = new Worker(join(import.meta.dirname, 'thread.ts'), {
      name: 'render',
      workerData,
    })
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
    ready.catch(() => {})
    const thread: Thread = {
      worker,
      waiting: new Map(),
      ready,
      isReady: false,
      progressAtMs: 0,
      lastMarks: '',
    }
    worker.on('message', (message: RenderThreadMessage) => {
      thread.progressAtMs = monotonicMs()
      if (message.kind === 'ready') {
        thread.isReady = true
        resolve()
      } else {
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

  #replaceStuck(): void {
    const nowMs = monotonicMs()
    // The main thread itself, or the whole process, stood still: what the threads did meanwhile is not seen yet.
    const wasAway = nowMs - this.#lookedAtMs > this.#options.stuckAfterMs
    this.#lookedAtMs = nowMs
    for (const thread of this.#threads) {
      if (wasAway) thread.progressAtMs = nowMs
      const marks = [...thread.waiting.keys()].map(slot => Atomics.load(this.#started, slot)).join()
      if (marks !== thread.lastMarks) thread.progressAtMs = nowMs
      thread.lastMarks = marks
      const isStuck = thread.waiting.size > 0 && nowMs - thread.progressAtMs > this.#options.stuckAfterMs
      if (thread.isReady && isStuck) void thread.worker.terminate()
    }
  }
}
