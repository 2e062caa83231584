import { Worker } from 'node:worker_threads'
import type { Lost } from '../../lib/main-thread/job.ts'
import { SlotMap } from '../../lib/main-thread/slot-map.ts'
import { errorOf } from '../../lib/threads/thrown.ts'
import type {
  LeaveMessage,
  NewPage,
  PagePieces,
  PartMessage,
  PartReply,
  RenderThreadMessage,
  ToRenderThread,
} from '../protocol.ts'

/** Parts, or a page, that a render thread has not finished. */
interface Unfinished {
  lose(lost: Lost): void
}

interface UnfinishedParts extends Unfinished {
  take(replies: readonly PartReply[]): void
}

interface UnfinishedPage extends Unfinished {
  take(pieces: PagePieces): void
}

/** One render thread, and all that it has not finished, by slot. */
export class RenderThread {
  readonly worker: Worker
  readonly #parts = new SlotMap<UnfinishedParts>()
  readonly #pages = new SlotMap<UnfinishedPage>()
  /** The pages of this turn of the event loop. They travel in one message, because each message wakes the thread. */
  #newPages: NewPage[] = []
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
    this.worker.on('error', thrown => reject(errorOf(thrown)))
    this.worker.once('exit', code => {
      reject(new Error(`a render thread ended with ${code} before it was ready`))
      onExit()
    })
  }

  /** Number of slots in use. */
  get load(): number {
    return this.#parts.size + this.#pages.size
  }

  /** The slots in use, first those of parts. */
  get slots(): { readonly parts: readonly number[]; readonly pages: readonly number[] } {
    return { parts: this.#parts.slots(), pages: this.#pages.slots() }
  }

  /** @throws what `postMessage` throws for parts that cannot be copied */
  sendParts(message: PartMessage<unknown>, unfinished: UnfinishedParts): void {
    this.#post(message)
    this.#parts.set(message.slot, unfinished)
  }

  /** Sends a page at the end of this turn of the event loop. */
  sendPage(page: NewPage, unfinished: UnfinishedPage): void {
    this.#pages.set(page.slot, unfinished)
    if (this.#newPages.push(page) === 1) setImmediate(() => this.#sendPages())
  }

  /** Tells the thread that a page is no longer wanted, if it makes that page. */
  leavePage(message: LeaveMessage): void {
    if (!this.#pages.get(message.slot)) return
    this.#sendPages()
    this.#post(message)
  }

  /** Reports all that the dead thread has not finished as lost. @param startedOf the mark of a slot */
  giveBack(startedOf: (slot: number) => number): void {
    for (const unfinished of [this.#parts, this.#pages])
      for (const [slot, { lose }] of unfinished) lose({ kind: 'lost', started: startedOf(slot) })
  }

  #sendPages(): void {
    if (this.#newPages.length === 0) return
    this.#post({ kind: 'pages', pages: this.#newPages })
    this.#newPages = []
  }

  #post(message: ToRenderThread<unknown>): void {
    this.worker.postMessage(message)
  }

  #take(message: Exclude<RenderThreadMessage, { readonly kind: 'ready' }>): void {
    this.replies++
    if (message.kind === 'replies') {
      this.#parts.get(message.slot)?.take(message.replies)
      this.#parts.delete(message.slot)
      return
    }
    for (const pieces of message.pieces) {
      const { take } = this.#pages.get(pieces.slot) as UnfinishedPage
      if (pieces.isLast) this.#pages.delete(pieces.slot)
      take(pieces)
    }
  }
}
