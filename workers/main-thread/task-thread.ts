import type { Worker } from 'node:worker_threads'
import type { Lost, Outcome } from '../../lib/main-thread/job.ts'
import { type Linked, LinkedList } from '../../lib/main-thread/linked-list.ts'
import { SlotMap } from '../../lib/main-thread/slot-map.ts'
import { errorOf } from '../../lib/threads/thrown.ts'
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
export class TaskThread {
  readonly worker: Worker
  /** Resolves when the thread takes messages; rejects if it ends before. */
  readonly ready: Promise<void>
  isReady = false
  /** The unanswered messages by their slots. */
  readonly #sent = new SlotMap<Sent>()
  readonly #late = new LinkedList<Late>()
  #timedOutSlot: number | undefined
  #why = 'the thread ended'

  /** @param onDead called when the thread has ended */
  constructor(worker: Worker, onDead: (thread: TaskThread) => void) {
    this.worker = worker
    const { promise: ready, resolve, reject } = Promise.withResolvers<void>()
    this.ready = ready
    ready.catch(() => {})
    worker.on('message', (reply: ThreadReply) => {
      if (reply.kind !== 'ready') return this.#take(reply)
      this.isReady = true
      resolve()
    })
    worker.on('error', thrown => {
      const error = errorOf(thrown)
      this.#why = error.message
      reject(error)
    })
    worker.once('exit', code => {
      reject(new Error(`a worker thread ended with ${code} before it was ready`))
      onDead(this)
    })
  }

  /** Number of its unanswered messages. */
  get load(): number {
    return this.#sent.size
  }

  get slots(): readonly number[] {
    return this.#sent.slots()
  }

  firstIdOf(slot: number): number | undefined {
    return this.#sent.get(slot)?.firstId
  }

  /**
   * Sends jobs, which get successive ids.
   * @throws what `postMessage` throws for jobs that cannot be copied
   */
  send(jobs: readonly TaskJob[], slot: number, firstId: number): Promise<Outcome<TaskReply>> {
    this.#post({ kind: 'tasks', jobs: jobs.map(packJob), slot, firstId })
    return new Promise(resolve => this.#sent.set(slot, { jobs, firstId, resolve }))
  }

  cancel(job: TaskJob): void {
    const id = this.#idOf(job)
    if (id !== undefined) this.#post({ kind: 'cancel', id })
  }

  /** Ends the thread because the running job of this slot took too long. */
  end(slot: number): void {
    this.#timedOutSlot = slot
    void this.worker.terminate()
  }

  /** Reports everything that the dead thread owes as lost. @param runningOf the running job of a slot, from 1; or 0 */
  giveBack(runningOf: (slot: number) => number): void {
    const why = this.#why
    for (const [slot, { resolve }] of this.#sent)
      resolve({ kind: 'lost', started: runningOf(slot), timedOut: slot === this.#timedOutSlot, why })
    const notStarted: Lost = { kind: 'lost', started: 0, why }
    for (const { resolve } of this.#late) resolve(notStarted)
  }

  #take(reply: Exclude<ThreadReply, { readonly kind: 'ready' }>): void {
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
