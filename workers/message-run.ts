import type { Transferable } from 'node:worker_threads'
import type { TaskReply } from './job.ts'
import type { JobRun } from './job-run.ts'
import { packReply, sendable, transferListOf } from './packing.ts'
import type { PackedReply, ThreadReply } from './protocol.ts'

/** Replies of jobs that still wait when their tasks have run are sent with the others if they come within this time. */
const HELD_MS = 2

/** The messages that wait for replies of jobs whose tasks have run. */
const held = new Set<MessageRun>()

type LateReply = readonly [id: number, reply: PackedReply]

/** Sends a reply to the main thread. */
export type Tell = (reply: ThreadReply, transferList?: readonly Transferable[]) => void

/** The jobs of one message in this thread, which are answered together as far as they are done in time. */
export class MessageRun {
  readonly slot: number
  readonly runs: readonly JobRun[]
  readonly #tell: Tell
  readonly #firstId: number
  readonly #open: Map<number, JobRun>
  #unfinished = 0
  #isAnswered = false
  #timer: NodeJS.Timeout | undefined
  /** Replies that came after the message was answered, until they are sent at the end of this turn. */
  #late: LateReply[] = []
  /** The places of the jobs whose replies were sent before the message was answered. */
  readonly #early = new Set<number>()

  /**
   * @param slot that of the message @param firstId the id of its first job
   * @param open the jobs of this thread that have begun and wait for something, by their ids
   */
  constructor(slot: number, firstId: number, runs: readonly JobRun[], open: Map<number, JobRun>, tell: Tell) {
    this.slot = slot
    this.runs = runs
    this.#firstId = firstId
    this.#open = open
    this.#tell = tell
    for (const [index, run] of runs.entries()) {
      if (run.reply) continue
      const id = firstId + index
      if (run.isAnswer) open.set(id, run)
      this.#unfinished++
      run.onReply = reply => {
        open.delete(id)
        this.#finish(id, reply)
      }
    }
  }

  /** Notes that the tasks of a job have begun, and wait for something. */
  keepOpen(index: number): void {
    const run = this.runs[index] as JobRun
    if (!run.reply) this.#open.set(this.#firstId + index, run)
  }

  /** Answers the message, now that all tasks have run. */
  answer(): void {
    if (this.#unfinished === 0) return this.#send()
    held.add(this)
    this.#timer = setTimeout(() => this.#send(), HELD_MS)
  }

  /** Sends the replies that are there, also those of messages before this one, before these are answered. */
  flush(): void {
    for (const message of held) message.#send()
    const replies: LateReply[] = []
    for (const [index, { reply }] of this.runs.entries())
      if (reply && !this.#early.has(index)) {
        this.#early.add(index)
        replies.push([this.#firstId + index, packReply(reply)])
      }
    this.#tellLate(replies)
  }

  #finish(id: number, reply: TaskReply): void {
    this.#unfinished--
    if (this.#isAnswered) this.#sendLater(id, reply)
    else if (this.#timer && this.#unfinished === 0) this.#send()
  }

  #send(): void {
    clearTimeout(this.#timer)
    held.delete(this)
    this.#isAnswered = true
    const { slot, runs } = this
    const replies = runs.map(({ reply }, index) =>
      this.#early.has(index) ? null : reply && packReply(reply),
    )
    try {
      this.#tell([slot, replies], transferListOf(replies))
    } catch {
      // One of them cannot be sent, so each is sent for itself, as a late one is.
      this.#tell([slot, replies.map(reply => reply && undefined)])
      for (const [index, reply] of replies.entries())
        if (reply) this.#tellAlone([this.#firstId + index, reply])
    }
  }

  #sendLater(id: number, reply: TaskReply): void {
    if (this.#late.push([id, packReply(reply)]) === 1)
      setImmediate(() => this.#tellLate(this.#late.splice(0)))
  }

  #tellLate(replies: readonly LateReply[]): void {
    if (replies.length === 0) return
    try {
      this.#tell({ kind: 'late', replies }, transferListOf(replies.map(([, reply]) => reply)))
    } catch {
      for (const each of replies) this.#tellAlone(each)
    }
  }

  /** A reply that no message can contain is a failure. */
  #tellAlone([id, reply]: LateReply): void {
    const tell = (one: PackedReply): undefined => {
      this.#tell({ kind: 'late', replies: [[id, one]] }, transferListOf([one]))
    }
    const failed = sendable(reply, tell)
    if (failed) tell(failed)
  }
}
