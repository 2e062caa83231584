import { join } from 'node:path'
import { dispatchSendable } from '../../lib/main-thread/dispatch-sendable.ts'
import type { Outcome } from '../../lib/main-thread/job.ts'
import { PooledThread } from '../../lib/main-thread/pooled-thread.ts'
import { SlotMap } from '../../lib/main-thread/slot-map.ts'
import type { PartCall, PartMessage, PartReply, PartThreadData, RenderThreadMessage } from '../protocol.ts'

const FILE = join(import.meta.dirname, '../part-thread.ts')

/** Parts that a thread has not finished. */
interface UnfinishedParts {
  readonly calls: readonly PartCall[]
  settle(outcome: Outcome<PartReply>): void
}

/** A render thread for parts of pages, and those that it has not finished, by slot. */
export class PartThread extends PooledThread<RenderThreadMessage> {
  readonly #parts = new SlotMap<UnfinishedParts>()
  readonly #data: PartThreadData
  #replies = 0

  constructor(data: PartThreadData, memoryMib: number, onExit: () => void) {
    super({ file: FILE, name: 'render', data, memoryMib }, onExit)
    this.#data = data
  }

  override get load(): number {
    return this.#parts.size
  }

  override get progress(): string | null {
    return this.isReady ? `${this.#replies} ${this.#parts.slots().map(slot => this.#startedIn(slot))}` : null
  }

  /**
   * Sends parts to the thread. It never rejects: when the thread dies, its parts are lost, and parts that cannot be copied
   * are not sent.
   */
  dispatch(calls: readonly PartCall[], slot: number): Promise<Outcome<PartReply>> {
    return dispatchSendable(
      calls,
      sendable => this.#send(sendable, slot),
      (error): PartReply => ({ kind: 'not sent', message: String(error) }),
    )
  }

  /** Tells the thread that nobody wants this part any more. */
  leavePart(call: PartCall, slot: number): void {
    const index = this.#parts.get(slot)?.calls.indexOf(call) ?? -1
    if (index >= 0) Atomics.or(this.#data.left, slot, 1 << index)
  }

  protected override take(message: RenderThreadMessage): void {
    if (message.kind === 'ready') return
    const { slot, replies } = message
    const parts = this.#parts.get(slot)
    this.#parts.delete(slot)
    this.#replies++
    parts?.settle({ kind: 'replies', replies })
  }

  protected override giveBack(): void {
    const { timedOut, why } = this.end
    for (const [slot, { settle }] of this.#parts)
      settle({ kind: 'lost', started: this.#startedIn(slot), timedOut, why })
  }

  /** @throws what `postMessage` throws for parts that cannot be copied */
  #send(calls: readonly PartCall[], slot: number): Promise<Outcome<PartReply>> {
    const { started, left } = this.#data
    for (const marks of [started, left]) Atomics.store(marks, slot, 0)
    this.post({ kind: 'parts', calls, slot } satisfies PartMessage)
    return new Promise(settle => this.#parts.set(slot, { calls, settle }))
  }

  #startedIn(slot: number): number {
    return Atomics.load(this.#data.started, slot)
  }
}
