import { Worker } from 'node:worker_threads'
import type { Outcome } from '../../lib/main-thread/work-queue.ts'
import type { RenderThreadMessage, ToRenderThread } from '../protocol.ts'

/** A message to a render thread that is not answered, or not completely. */
export interface Unanswered {
  /** Takes replies. @returns whether they were the last ones */
  take(message: Replies): boolean
  lose(lost: Extract<Outcome<never>, { readonly kind: 'lost' }>): void
}

type Replies = Exclude<RenderThreadMessage, { readonly kind: 'ready' }>

/** One render thread, and the messages that it has not answered, by their slot. */
export class RenderThread {
  readonly worker: Worker
  readonly unanswered = new Map<number, Unanswered>()
  /** @throws when the thread ends before it was ready */
  readonly ready: Promise<void>
  isReady = false
  /** Number of replies that came. */
  replies = 0

  /** @param onExit is called when the thread has ended by itself */
  constructor(file: string, workerData: object, memoryMib: number, onExit: () => void) {
    this.worker = new Worker(file, {
      name: 'render',
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: memoryMib },
    })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    promise.catch(() => {})
    this.ready = promise
    this.worker.on('message', (message: RenderThreadMessage) => {
      if (message.kind === 'ready') {
        this.isReady = true
        resolve()
      } else this.#take(message)
    })
    this.worker.on('error', reject)
    this.worker.once('exit', code => {
      reject(new Error(`a render thread ended with ${code} before it was ready`))
      onExit()
    })
  }

  send(slot: number, message: ToRenderThread<unknown>, unanswered: Unanswered): void {
    this.unanswered.set(slot, unanswered)
    this.worker.postMessage(message)
  }

  #take(message: Replies): void {
    this.replies++
    const unanswered = this.unanswered.get(message.slot)
    if (unanswered?.take(message)) this.unanswered.delete(message.slot)
  }
}
