import { Worker } from 'node:worker_threads'

/** Why a thread ended, as far as its pool knows. */
export interface ThreadEnd {
  /** It was ended because it made no progress. */
  readonly timedOut: boolean
  /** Its heap reached the limit. */
  readonly outOfMemory: boolean
}

/** A thread of a pool. It says `ready` when it has loaded its files. */
export abstract class PoolThread<Message extends { readonly kind: string }> {
  readonly worker: Worker
  /** @throws when the thread ends before it was ready */
  readonly ready: Promise<void>
  isReady = false
  /** Whether the pool ends the thread because it makes no progress. */
  isStuck = false
  #isOutOfMemory = false

  constructor(file: string, workerData: object, memoryMib: number, onExit: () => void) {
    this.worker = new Worker(file, {
      name: 'render',
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: memoryMib },
    })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    promise.catch(() => {})
    this.ready = promise
    this.worker.on('message', (message: Message) => {
      this.take(message)
      if (message.kind !== 'ready') return
      this.isReady = true
      resolve()
    })
    this.worker.on('error', (error: Error & { code?: string }) => {
      this.#isOutOfMemory = error?.code === 'ERR_WORKER_OUT_OF_MEMORY'
      reject(error)
    })
    this.worker.once('exit', code => {
      reject(new Error(`a render thread ended with ${code} before it was ready`))
      onExit()
    })
  }

  get end(): ThreadEnd {
    return { timedOut: this.isStuck, outOfMemory: this.#isOutOfMemory }
  }

  /** The amount of unfinished work, in slots. */
  abstract readonly load: number
  /** A value that changes while the thread makes progress; null if it has nothing to do or has not begun. */
  abstract readonly progress: string | number | null
  /** Takes a message of the thread. */
  abstract take(message: Message): void
  /** Reports all that the dead thread has not finished as lost. */
  abstract giveBack(): void
}
