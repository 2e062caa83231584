import { join } from 'node:path'
import type { WorkerOptions } from 'node:worker_threads'
import { type Linked, LinkedList } from '../../lib/main-thread/collections.ts'
import type { EndEarly, MessageEnd } from '../../lib/main-thread/job.ts'
import {
  PooledThread,
  type PostToThread,
  type ThreadEnd,
  type ThreadWork,
} from '../../lib/main-thread/pooled-thread.ts'
import { createMarks } from '../../lib/threads/thread-setup.ts'
import type { AnswersFile, TaskJob, TaskReply } from '../job.ts'
import { packJob, unpackReply } from '../packing.ts'
import type {
  PackedReply,
  RepliesMessage,
  ThreadData,
  ThreadMessage,
  ThreadOptions,
  ThreadReply,
} from '../protocol.ts'

const FILE = join(import.meta.dirname, '../thread.ts')

type Resolve = (outcome: MessageEnd<TaskReply>) => void

/** Jobs of a message, which get successive ids. */
interface Jobs {
  readonly jobs: readonly TaskJob[]
  readonly firstId: number
  /** Ends a job before the others. */
  readonly endEarly: EndEarly<TaskReply>
}

/** A message that is not answered. */
interface Sent extends Jobs, Linked<Sent> {
  readonly slot: number
  /** Whether one of the jobs is not wanted any more, as is marked in shared memory. */
  hasUnwanted: boolean
  readonly resolve: Resolve
}

/** A job whose message was answered without it. */
interface Late extends Linked<Late> {
  readonly job: TaskJob
  readonly id: number
  readonly resolve: Resolve
}

export type TaskThread = PooledThread<TaskWork>

/** @param slots the number of slots that messages may have */
export function startTaskThread(
  shared: ThreadOptions,
  slots: number,
  memoryMib: number,
  onExit: () => void,
  worker: WorkerOptions = {},
): TaskThread {
  const [started, unwanted, beats] = [createMarks(slots), createMarks(slots), createMarks(1)]
  const data: ThreadData = { ...shared, started, unwanted, beats }
  const file = { file: FILE, name: 'answer', data, memoryMib, worker }
  return new PooledThread(file, post => new TaskWork(data, post), onExit)
}

/** The messages and jobs for which a worker thread owes replies. */
export class TaskWork implements ThreadWork<ThreadReply> {
  /** The names of the tasks; empty until the thread is ready. */
  tasks: readonly string[] = []
  /** Number of messages that it was sent. */
  messages = 0
  readonly #data: ThreadData
  readonly #post: PostToThread
  #isReady = false
  readonly #sent = new LinkedList<Sent>()
  readonly #late = new LinkedList<Late>()
  #onAnswers: (() => void) | undefined

  constructor(data: ThreadData, post: PostToThread) {
    this.#data = data
    this.#post = post
  }

  /** Number of its unanswered messages, and of the jobs whose message was answered without them. */
  get load(): number {
    return this.#sent.size + this.#late.size
  }

  /** The running job, or what changes while asynchronous tasks wait. */
  get progress(): string | null {
    for (const { slot, firstId } of this.#sent) {
      const running = this.#markIn(slot)
      if (running > 0) return `${running} from ${firstId}`
    }
    return this.#data.concurrentTasks > 1 && this.#isReady ? `${Atomics.load(this.#data.beats, 0)}` : null
  }

  /** Sends jobs in one message. @throws what `postMessage` throws for jobs that cannot be copied */
  send({ jobs, firstId, endEarly }: Jobs, slot: number): Promise<MessageEnd<TaskReply>> {
    Atomics.store(this.#data.started, slot, 0)
    // Jobs that give something away travel alone.
    this.#post([slot, firstId, jobs.map(packJob)] satisfies ThreadMessage, jobs[0]?.transferList)
    this.messages++
    return new Promise(resolve =>
      this.#sent.add({ slot, jobs, firstId, endEarly, resolve, hasUnwanted: false }),
    )
  }

  /**
   * Notes that nobody wants a job any more: if it has not begun, it does not begin.
   * @returns whether the thread has to be ended, because it works on this job and on no other
   */
  abort(job: TaskJob): boolean {
    for (const sent of this.#sent) {
      const { slot } = sent
      const index = sent.jobs.indexOf(job)
      if (index < 0) continue
      sent.hasUnwanted = true
      Atomics.or(this.#data.unwanted, slot, 1 << index)
      const mark = this.#markIn(slot)
      if (this.#data.concurrentTasks === 1) return mark === index + 1
      return mark !== 0 && sent.jobs.length === 1 && this.load === 1
    }
    for (const late of this.#late) if (late.job === job) return this.load === 1
    return false
  }

  /** Lets the thread make answers. Resolves when it has loaded the file; if it dies before, never. */
  loadAnswers(answers: AnswersFile): Promise<void> {
    this.#post({ kind: 'answers', ...answers })
    return new Promise(resolve => {
      this.#onAnswers = resolve
    })
  }

  cancel(job: TaskJob): void {
    const id = this.#idOf(job)
    if (id !== undefined) this.#post({ kind: 'cancel', id } satisfies ThreadMessage)
  }

  giveBack({ timedOut, why, error: cause }: ThreadEnd): void {
    for (const { slot, resolve } of this.#sent) {
      const mark = this.#markIn(slot)
      resolve({ kind: 'lost', started: Math.abs(mark), isIdle: mark <= 0, timedOut, why, cause })
    }
    for (const { resolve } of this.#late) resolve({ kind: 'lost', started: 1, isIdle: true, why, cause })
  }

  take(reply: ThreadReply): void {
    if (!('kind' in reply)) return this.#takeReplies(reply)
    if (reply.kind === 'ready') {
      this.#isReady = true
      this.tasks = reply.tasks
    } else if (reply.kind === 'answers') this.#onAnswers?.()
    else if (reply.kind === 'late') for (const [id, late] of reply.replies) this.#takeLate(id, late)
    else throw new TypeError(`unknown message ${JSON.stringify(reply)}`)
  }

  #takeReplies([slot, packed]: RepliesMessage): void {
    const sent = this.#messageIn(slot)
    const { jobs, firstId, resolve, hasUnwanted } = sent
    if (hasUnwanted) Atomics.store(this.#data.unwanted, slot, 0)
    this.#sent.delete(sent)
    const replies = packed.map((each, index) => {
      const job = jobs[index] as TaskJob
      if (each === null) return undefined
      return each ? unpackReply(each, job) : this.#await(job, firstId + index)
    })
    resolve({ kind: 'replies', replies })
  }

  #await(job: TaskJob, id: number): Promise<MessageEnd<TaskReply>> {
    return new Promise(resolve => this.#late.add({ job, id, resolve }))
  }

  #takeLate(id: number, reply: PackedReply): void {
    for (const late of this.#late) {
      if (late.id !== id) continue
      this.#late.delete(late)
      return late.resolve({ kind: 'replies', replies: [unpackReply(reply, late.job)] })
    }
    for (const { firstId, jobs, endEarly } of this.#sent) {
      const job = jobs[id - firstId]
      if (job) return endEarly(id - firstId, unpackReply(reply, job))
    }
  }

  #idOf(job: TaskJob): number | undefined {
    for (const { jobs, firstId } of this.#sent) {
      const index = jobs.indexOf(job)
      if (index >= 0) return firstId + index
    }
    for (const late of this.#late) if (late.job === job) return late.id
    return undefined
  }

  /** There are two messages, or few more. */
  #messageIn(slot: number): Sent {
    let sent = this.#sent.first as Sent
    while (sent.slot !== slot) sent = sent.next as Sent
    return sent
  }

  /** The mark of the message in a slot, see `ThreadData`. */
  #markIn(slot: number): number {
    return Atomics.load(this.#data.started, slot)
  }
}
