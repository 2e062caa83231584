import type { TaskReply } from './job.ts'
import type { JobRun } from './job-run.ts'
import { packReply } from './packing.ts'
import type { JobsMessage, PackedReply, ThreadReply } from './protocol.ts'
import { sendable } from './sendable.ts'

/** Replies of jobs that still wait when their tasks have run are sent with the others if they come within this time. */
const HELD_MS = 2

/** The jobs of one message, which are answered together as far as they are done in time. */
export class MessageRun {
  readonly slot: number
  readonly runs: readonly JobRun[]
  readonly #tell: (reply: ThreadReply) => void
  #unfinished = 0
  #isAnswered = false
  #timer: NodeJS.Timeout | undefined
  /** Replies that came after the message was answered, until they are sent at the end of this turn. */
  #late: [number, PackedReply][] = []

  /** @param open the jobs of this thread that are not done, by their ids */
  constructor(
    { slot, firstId }: Pick<JobsMessage, 'slot' | 'firstId'>,
    runs: readonly JobRun[],
    open: Map<number, JobRun>,
    tell: (reply: ThreadReply) => void,
  ) {
    this.slot = slot
    this.runs = runs
    this.#tell = tell
    for (const [index, run] of runs.entries()) {
      if (run.reply) continue
      const id = firstId + index
      open.set(id, run)
      this.#unfinished++
      run.onReply = reply => {
        open.delete(id)
        this.#finish(id, reply)
      }
    }
  }

  /** Answers the message, now that all tasks have run. */
  answer(): void {
    if (this.#unfinished === 0) this.#send()
    else this.#timer = setTimeout(() => this.#send(), HELD_MS)
  }

  #finish(id: number, reply: TaskReply): void {
    this.#unfinished--
    if (this.#isAnswered) this.#sendLater(id, reply)
    else if (this.#timer && this.#unfinished === 0) this.#send()
  }

  #send(): void {
    clearTimeout(this.#timer)
    this.#isAnswered = true
    const { slot } = this
    this.#tellReplies(
      this.runs.map(({ reply }) => reply && packReply(reply)),
      replies => ({ kind: 'replies', slot, replies }),
    )
  }

  #sendLater(id: number, reply: TaskReply): void {
    if (this.#late.push([id, packReply(reply)]) > 1) return
    setImmediate(() => {
      const ids = this.#late.map(([id]) => id)
      this.#tellReplies(
        this.#late.map(([, reply]) => reply),
        replies => ({ kind: 'late', replies: replies.map((reply, index) => [ids[index] as number, reply]) }),
      )
      this.#late = []
    })
  }

  /** Sends replies. One that no message can contain is a failure. */
  #tellReplies<Reply extends PackedReply | undefined>(
    replies: readonly Reply[],
    messageOf: (replies: readonly (Reply | PackedReply)[]) => ThreadReply,
  ): void {
    try {
      this.#tell(messageOf(replies))
    } catch {
      this.#tell(messageOf(replies.map(reply => reply && sendable(reply, structuredClone<Reply & object>))))
    }
  }
}
