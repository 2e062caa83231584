import { Worker } from 'node:worker_threads'
import { type CoreTime, readCoreTime } from '../os/core-time.ts'
import { errorOf } from '../threads/thrown.ts'

interface ThreadFile {
  readonly file: string
  /** The name that tools show. */
  readonly name: string
  /** What the thread gets: plain data and shared memory. */
  readonly data: object
  /** The limit of its heap, and also of its buffers, in MiB. */
  readonly memoryMib: number
}

/** Why a thread ended, as far as its pool knows. */
export interface ThreadEnd {
  /** It was ended because it made no progress. */
  readonly timedOut: boolean
  /** Its heap or its buffers reached the limit. */
  readonly outOfMemory: boolean
  /** The same in words, for the log. */
  readonly why: string
}

/** A message of a thread. */
interface ThreadMessage {
  readonly kind: string
  /** With `ready`, the id by which Linux knows the thread, if the time that it waits for a core must not count as stuck. */
  readonly osThreadId?: number | undefined
}

/** A thread of a pool. It says `ready` when it has loaded its files. */
export abstract class PooledThread<Message extends ThreadMessage = never> {
  readonly worker: Worker
  readonly memoryMib: number
  /** @throws when the thread ends before it was ready */
  readonly ready: Promise<void>
  isReady = false
  #isLeft = false
  #osThreadId: number | undefined
  #end: ThreadEnd = { timedOut: false, outOfMemory: false, why: 'the thread ended' }

  constructor({ file, name, data, memoryMib }: ThreadFile, onExit: () => void) {
    this.memoryMib = memoryMib
    this.worker = new Worker(file, {
      name,
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: memoryMib },
    })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    promise.catch(() => {})
    this.ready = promise
    this.worker.on('message', (message: Message) => {
      if (this.#isLeft) return
      this.take(message)
      if (message.kind !== 'ready') return
      this.isReady = true
      this.#osThreadId = message.osThreadId
      resolve()
    })
    this.worker.on('error', thrown => {
      const error: NodeJS.ErrnoException = errorOf(thrown)
      const outOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      this.#end = { timedOut: false, outOfMemory, why: error.message }
      reject(error)
    })
    this.worker.once('exit', code => {
      reject(new Error(`the thread "${name}" ended with ${code} before it was ready`))
      onExit()
    })
  }

  readCoreTime(): CoreTime | undefined {
    return readCoreTime(this.#osThreadId)
  }

  get end(): ThreadEnd {
    return this.#end
  }

  /** Takes nothing more from the thread, and reports all that it has not finished as lost. */
  leave(end: ThreadEnd = this.#end): void {
    this.#isLeft = true
    this.#end = end
    this.giveBack()
  }

  /** The amount of unfinished work, in slots. */
  abstract readonly load: number
  /** A value that changes while the thread makes progress; null if it has nothing to do or has not begun. */
  abstract readonly progress: string | number | null
  /** Takes a message of the thread. */
  protected abstract take(message: Message): void
  /** Reports all that the thread has not finished as lost, because of `end`. */
  protected abstract giveBack(): void
}
