import { Worker } from 'node:worker_threads'
import { createMarks, type SlotMarks } from '../threads/slot-marks.ts'
import { errorOf } from '../threads/thrown.ts'
import type { Lost } from './job.ts'

export interface ThreadFile {
  readonly file: string
  /** The name that tools show. */
  readonly name: string
  /** What the thread gets besides its marks: plain data and shared memory. */
  readonly data: object
  /** The limit of its heap, in MiB. */
  readonly memoryMib: number
}

interface Message {
  readonly kind: string
}

/** The first message of a thread says that it takes messages. */
type FromThread<Reply extends Message> = Reply | { readonly kind: 'ready' }

/** A thread of a pool, and all that it has not finished, by slot. */
export abstract class PooledThread<Reply extends Message = Message> {
  readonly worker: Worker
  /** Resolves when the thread takes messages; rejects if it ends before. */
  readonly ready: Promise<void>
  /** Shared memory in which the thread marks what it runs of each slot, from 1; 0 while that is nothing. */
  readonly #started: SlotMarks
  #isReady = false
  #isLeft = false
  #why = 'the thread ended'

  constructor({ file, name, data, memoryMib }: ThreadFile, slots: number) {
    this.#started = createMarks(slots)
    this.worker = new Worker(file, {
      name,
      workerData: { ...data, started: this.#started },
      resourceLimits: { maxOldGenerationSizeMb: memoryMib },
    })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.ready = promise
    promise.catch(() => {})
    this.worker.on('message', (message: FromThread<Reply>) => {
      if (this.#isLeft) return
      if (message.kind !== 'ready') return this.take(message as Reply)
      this.#isReady = true
      resolve()
    })
    this.worker.on('error', thrown => {
      const error = errorOf(thrown)
      this.#why = error.message
      reject(error)
    })
    this.worker.once('exit', code =>
      reject(new Error(`the thread "${name}" ended with ${code} before it was ready`)),
    )
  }

  get isReady(): boolean {
    return this.#isReady
  }

  /** Number of its slots in use. */
  abstract get load(): number

  /** See `Progress`; undefined if the thread has nothing to do. */
  abstract get progress(): string | null | undefined

  /** Takes nothing more from the thread, and reports all that it has not finished as lost. */
  leave(reason: Pick<Lost, 'timedOut' | 'why'> = {}): void {
    this.#isLeft = true
    this.giveBack(slot => ({ why: this.#why, ...reason, kind: 'lost', started: this.mark(slot) }))
  }

  protected abstract take(reply: Reply): void

  protected abstract giveBack(lostOf: (slot: number) => Lost): void

  protected begin(slot: number): void {
    Atomics.store(this.#started, slot, 0)
  }

  protected mark(slot: number): number {
    return Atomics.load(this.#started, slot)
  }
}
