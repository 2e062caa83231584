import { dispatchSendable } from '../../lib/main-thread/dispatch-sendable.ts'
import type { Lost, Outcome } from '../../lib/main-thread/job.ts'
import { SlotMap } from '../../lib/main-thread/slot-map.ts'
import type { PartThreadData } from '../component-protocol.ts'
import type { PartMessage, PartReply, RenderThreadMessage } from '../protocol.ts'
import { PoolThread } from './pool-thread.ts'

/** Parts that a thread has not finished. */
interface UnfinishedParts {
  take(replies: readonly PartReply[]): void
  lose(lost: Lost): void
}

/** A render thread for parts of pages, and those that it has not finished, by slot. */
export class PartThread extends PoolThread<RenderThreadMessage> {
  readonly #parts = new SlotMap<UnfinishedParts>()
  readonly #started: PartThreadData['started']
  #replies = 0

  constructor(file: string, data: PartThreadData, memoryMib: number, onExit: () => void) {
    super(file, data, memoryMib, onExit)
    this.#started = data.started
  }

  get load(): number {
    return this.#parts.size
  }

  get progress(): string | null {
    return this.isReady ? `${this.#replies} ${this.#parts.slots().map(slot => this.#startedIn(slot))}` : null
  }

  /**
   * Sends parts to the thread. It never rejects: when the thread dies, its parts are lost, and parts that cannot be copied
   * are not sent.
   */
  dispatch(calls: readonly unknown[], slot: number): Promise<Outcome<PartReply>> {
    return dispatchSendable(
      calls,
      sendable => this.#send({ kind: 'parts', calls: sendable, slot }),
      (error): PartReply => ({ kind: 'not sent', message: String(error) }),
    )
  }

  take(message: RenderThreadMessage): void {
    if (message.kind === 'ready') return
    this.#replies++
    this.#parts.get(message.slot)?.take(message.replies)
    this.#parts.delete(message.slot)
  }

  giveBack(): void {
    for (const [slot, { lose }] of this.#parts) lose({ kind: 'lost', started: this.#startedIn(slot) })
  }

  /** @throws what `postMessage` throws for parts that cannot be copied */
  #send(message: PartMessage<unknown>): Promise<Outcome<PartReply>> {
    const { promise, resolve } = Promise.withResolvers<Outcome<PartReply>>()
    Atomics.store(this.#started, message.slot, 0)
    this.worker.postMessage(message)
    this.#parts.set(message.slot, {
      take: replies => resolve({ kind: 'replies', replies }),
      lose: resolve,
    })
    return promise
  }

  #startedIn(slot: number): number {
    return Atomics.load(this.#started, slot)
  }
}
