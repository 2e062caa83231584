import { join } from 'node:path'
import type { Outcome } from '../../lib/main-thread/job.ts'
import { type Linked, LinkedList } from '../../lib/main-thread/linked-list.ts'
import { PooledThread } from '../../lib/main-thread/pooled-thread.ts'
import { SlotMap } from '../../lib/main-thread/slot-map.ts'
import type { SlotMarks } from '../../lib/threads/slot-marks.ts'
import type { AnswersFile, TaskJob, TaskReply } from '../job.ts'
import { packJob, unpackReply } from '../packing.ts'
import type { ThreadData, ThreadMessage, ThreadReply } from '../protocol.ts'

const FILE = join(import.meta.dirname, '../thread.ts')

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
  readonly #started: SlotMarks
  /** The unanswered messages by their slots. */
  readonly #sent = new SlotMap<Sent>()
  readonly #late = new LinkedList<Late>()
  #onAnswers: (() => void) | undefined

  constructor(data: ThreadData, memoryMib: number, onExit: () => void) {
    super({ file: FILE, name: 'answer', data, memoryMib }, onExit)
    this.#started = data.started
  }

  /** Number of its unanswered messages. */
  override get load(): number {
    return this.#sent.size
  }

  /** The running job. */
  override get progress(): string | null {
    for (const [slot, { firstId }] of this.#sent) {
      const running = this.#markIn(slot)
      if (running > 0) return `${running} from ${firstId}`
    }
    return null
  }

  /**
   * Sends jobs, which get successive ids.
   * @throws what `postMessage` throws for jobs that cannot be copied
   */
  send(jobs: readonly TaskJob[], slot: number, firstId: number): Promise<Outcome<TaskReply>> {
    Atomics.store(this.#started, slot, 0)
    this.post({ kind: 'tasks', jobs: jobs.map(packJob), slot, firstId } satisfies ThreadMessage)
    return new Promise(resolve => this.#sent.set(slot, { jobs, firstId, resolve }))
  }

  /** Lets the thread make answers. Resolves when it has loaded the file; if it dies before, never. */
  loadAnswers(answers: AnswersFile): Promise<void> {
    this.post({ kind: 'answers', ...answers })
    return new Promise(resolve => {
      this.#onAnswers = resolve
    })
  }

  cancel(job: TaskJob): void {
    const id = this.#idOf(job)
    if (id !== undefined) this.post({ kind: 'cancel', id } satisfies ThreadMessage)
  }

  protected override giveBack(): void {
    const { timedOut, why, error: cause } = this.end
    for (const [slot, { resolve }] of this.#sent) {
      const mark = this.#markIn(slot)
      resolve({ kind: 'lost', started: Math.abs(mark), isIdle: mark <= 0, timedOut, why, cause })
    }
    for (const { resolve } of this.#late) resolve({ kind: 'lost', started: 1, isIdle: true, why, cause })
  }

  protected override take(reply: ThreadReply): void {
    if (reply.kind === 'ready') return
    if (reply.kind === 'answers') return this.#onAnswers?.()
    if (reply.kind === 'late') {
      for (const [id, late] of reply.replies) this.#takeLate(id, unpackReply(late))
      return
    }
    if (reply.kind !== 'replies') throw new TypeError(`unknown message ${JSON.stringify(reply)}`)
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

  /** The mark of the message in a slot, see `ThreadData`. */
  #markIn(slot: number): number {
    return Atomics.load(this.#started, slot)
  }
}
