import type { Lost, Outcome } from '../../lib/main-thread/job.ts'
import { type Linked, LinkedList } from '../../lib/main-thread/linked-list.ts'
import { PooledThread } from '../../lib/main-thread/pooled-thread.ts'
import { SlotMap } from '../../lib/main-thread/slot-map.ts'
import { packJob, unpackReply } from '../packing.ts'
import type { TaskJob, TaskReply, ThreadMessage, ThreadReply } from '../protocol.ts'

type Resolve = (outcome: Outcome<TaskReply>) => void

interface Sent {
  readonly jobs: readonly TaskJob[]
  readonly firstId: number
  readonly resolve: Resolve
}

/** A job whose message was answered without it. */
interface Late extends Linked<Late> {
  readonly job: TaskJob
  readonly id: number
  readonly resolve: Resolve
}

/** A worker thread, and the messages and jobs for which it owes replies. */
export class TaskThread extends PooledThread<ThreadReply> {
  /** The unanswered messages by their slots. */
  readonly #sent = new SlotMap<Sent>()
  readonly #late = new LinkedList<Late>()

  /** Number of its unanswered messages. */
  override get load(): number {
    return this.#sent.size
  }

  /** The running job; null while no job of its messages runs. */
  override get progress(): string | null | undefined {
    if (this.#sent.size === 0) return undefined
    for (const [slot, { firstId }] of this.#sent)
      if (this.mark(slot) > 0) return `${this.mark(slot)} from ${firstId}`
    return null
  }

  /**
   * Sends jobs, which get successive ids.
   * @throws what `postMessage` throws for jobs that cannot be copied
   */
  send(jobs: readonly TaskJob[], slot: number, firstId: number): Promise<Outcome<TaskReply>> {
    this.begin(slot)
    this.#post({ kind: 'tasks', jobs: jobs.map(packJob), slot, firstId })
    return new Promise(resolve => this.#sent.set(slot, { jobs, firstId, resolve }))
  }

  cancel(job: TaskJob): void {
    const id = this.#idOf(job)
    if (id !== undefined) this.#post({ kind: 'cancel', id })
  }

  protected override giveBack(lostOf: (slot: number) => Lost): void {
    for (const [slot, { resolve }] of this.#sent) resolve(lostOf(slot))
    for (const { resolve } of this.#late) resolve({ kind: 'lost', started: 0 })
  }

  protected override take(reply: Exclude<ThreadReply, { readonly kind: 'ready' }>): void {
    if (reply.kind === 'late') {
      for (const [id, late] of reply.replies) this.#takeLate(id, unpackReply(late))
      return
    }
    const { jobs, firstId, resolve } = this.#sent.get(reply.slot) as Sent
    this.#sent.delete(reply.slot)
    const replies = reply.replies.map((each, index) =>
      each ? unpackReply(each) : this.#await(jobs[index] as TaskJob, firstId + index),
    )
    resolve({ kind: 'replies', replies })
  }

  #await(job: TaskJob, id: number): Promise<Outcome<TaskReply>> {
    return new Promise(resolve => this.#late.add({ job, id, resolve }))
  }

  #takeLate(id: number, reply: TaskReply): void {
    for (const late of this.#late) {
      if (late.id !== id) continue
      this.#late.delete(late)
      return late.resolve({ kind: 'replies', replies: [reply] })
    }
  }

  #idOf(job: TaskJob): number | undefined {
    for (const [, { jobs, firstId }] of this.#sent) {
      const index = jobs.indexOf(job)
      if (index >= 0) return firstId + index
    }
    for (const late of this.#late) if (late.job === job) return late.id
    return undefined
  }

  #post(message: ThreadMessage): void {
    this.worker.postMessage(message)
  }
}
