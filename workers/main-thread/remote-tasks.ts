import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node'
import type { MessageEnd } from '../../lib/main-thread/job.ts'
import { describeThrown, errorOf } from '../../lib/threads/thrown.ts'
import { monotonicMs } from '../../lib/units.ts'
import type { TaskJob, TaskReply } from '../job.ts'
import { isReplies, isReply } from '../remote/checks.ts'
import { disconnect, publish, read } from '../remote/connect.ts'
import { JobStream } from '../remote/job-stream.ts'
import { encode, type JobMessage, messageFor, outcomeOf, subjects } from '../remote/protocol.ts'
import { versionOf } from '../remote/version.ts'
import { KnownWorkers } from './known-workers.ts'

/** In this time at most one job asks for an acknowledgement, which stands for all jobs before: each wakes the main thread. */
const ACKNOWLEDGE_MS = 100
/** Status of a message that nobody received: there is no stream. */
const NO_RESPONDERS = 503

interface RemoteOptions {
  readonly tasksFile: string
  /** Whether jobs wait because all workers are busy. */
  isPressed(): boolean
  /** Called when workers come and go. */
  onChange(workers: KnownWorkers): void
  /** Reports something that a person should know, in one line. */
  note(line: string): void
}

/** A job that was sent and is not answered. */
interface Sent {
  readonly job: TaskJob
  resolve(outcome: MessageEnd<TaskReply>): void
}

/**
 * Runs tasks on other machines, over NATS. A job is kept until its first reply: it is sent again when the connection
 * was lost, because the job, or its reply, may be lost too. Jobs of one turn of the event loop are written at once.
 */
export class RemoteTasks {
  readonly workers: KnownWorkers
  readonly #connection: NatsConnection
  readonly #options: RemoteOptions
  readonly #version: string
  readonly #stream: JobStream
  readonly #inbox = createInbox()
  readonly #replyTo = `${this.#inbox}.replies`
  readonly #sent = new Map<number, Sent>()
  readonly #ids = new Map<TaskJob, number>()
  #unpublished: number[] = []
  #lastId = 0
  #lastAcknowledgedId = 0
  #askedAtMs = 0

  private constructor(connection: NatsConnection, options: RemoteOptions) {
    const { tasksFile, onChange, note } = options
    this.#connection = connection
    this.#options = options
    this.#version = versionOf(tasksFile)
    this.workers = new KnownWorkers(connection, this.#version, onChange, note)
    connection.subscribe(`${this.#inbox}.*`, { callback: (_error, message) => this.#receive(message) })
    this.#stream = new JobStream({
      connection,
      note,
      version: this.#version,
      onOpen: () => this.#sendAgain(),
      onLost: () => this.workers.forget(),
    })
  }

  /** @throws UserError when NATS has no JetStream */
  static async start(connection: NatsConnection, options: RemoteOptions): Promise<RemoteTasks> {
    const tasks = new RemoteTasks(connection, options)
    await tasks.#stream.open()
    return tasks
  }

  /** Sends a job. It never rejects: a job that is given up or that NATS refuses is lost. */
  dispatch(job: TaskJob): Promise<MessageEnd<TaskReply>> {
    return new Promise(resolve => {
      const id = ++this.#lastId
      this.#sent.set(id, { job, resolve })
      this.#ids.set(job, id)
      this.#publishSoon(id)
    })
  }

  /** Gives a job up, because its client has left. Its worker does not begin it. */
  cancel(job: TaskJob): void {
    const id = this.#ids.get(job)
    if (id === undefined) return
    this.#settle(id, { kind: 'lost', started: 0 })
    publish(this.#connection, subjects.cancel, encode([this.#replyTo, id]))
  }

  /** Disconnects. Jobs that are not answered are lost. */
  async close(): Promise<void> {
    this.workers.close()
    for (const id of [...this.#sent.keys()])
      this.#settle(id, { kind: 'lost', started: 1, why: 'the app closes' })
    await disconnect(this.#connection)
  }

  #publishSoon(id: number): void {
    if (this.#unpublished.push(id) === 1) setImmediate(() => this.#publishAll())
  }

  #publishAll(): void {
    const ids = this.#unpublished.filter(id => this.#sent.has(id))
    this.#unpublished = []
    const nowMs = monotonicMs()
    const last = nowMs > this.#askedAtMs + ACKNOWLEDGE_MS ? ids.at(-1) : undefined
    if (last !== undefined) this.#askedAtMs = nowMs
    for (const id of ids) this.#publish(id, id === last ? { reply: `${this.#inbox}.${id}` } : undefined)
  }

  #publish(id: number, options: { reply: string } | undefined): void {
    const { job } = this.#sent.get(id) as Sent
    const data = encodeJob(messageFor(this.#replyTo, id, job, this.#options.isPressed()))
    if (data instanceof Error) {
      const reply: TaskReply = { kind: 'failed', ...describeThrown(data) }
      return this.#settle(id, { kind: 'replies', replies: [reply] })
    }
    const limitBytes = this.#connection.info?.max_payload ?? Number.POSITIVE_INFINITY
    if (data.length <= limitBytes)
      return publish(this.#connection, subjects.jobs(this.#version), data, options)
    const why = `a job of ${data.length} bytes is more than the ${limitBytes} that NATS takes (max_payload)`
    this.#settle(id, { kind: 'lost', started: 1, why })
  }

  #receive(message: Msg): void {
    if (message.subject === this.#replyTo) {
      const nowMs = monotonicMs()
      for (const [id, reply] of read(message, isReplies) ?? [])
        this.#settle(id, this.#judge(id, reply, nowMs))
    } else this.#heedAcknowledgement(message)
  }

  /** A reply that is malformed, as a worker in error or another sender may write it, fails its job alone. */
  #judge(id: number, reply: unknown, nowMs: number): MessageEnd<TaskReply> {
    const { calls = [] } = this.#sent.get(id)?.job ?? {}
    if (isReply(reply, calls.length)) return outcomeOf(reply, nowMs)
    return { kind: 'lost', started: 1, why: 'its reply is malformed' }
  }

  /** An acknowledgement that begins with `{"error"` says that jobs since the one before were not accepted. */
  #heedAcknowledgement({ headers, data, subject }: Msg): void {
    if (headers?.code === NO_RESPONDERS) return void this.#stream.reopen()
    const last = Number(subject.slice(this.#inbox.length + 1))
    if (data[2] === 'e'.charCodeAt(0)) {
      const why = `NATS refused the job: ${Buffer.from(data).toString()}`
      for (const id of [...this.#sent.keys()].filter(id => id > this.#lastAcknowledgedId && id <= last))
        this.#settle(id, { kind: 'lost', started: 1, why })
    }
    if (last <= this.#lastId) this.#lastAcknowledgedId = Math.max(this.#lastAcknowledgedId, last)
  }

  #settle(id: number, outcome: MessageEnd<TaskReply>): void {
    const sent = this.#sent.get(id)
    // The job may have been answered already, or given up.
    if (!sent) return
    this.#sent.delete(id)
    this.#ids.delete(sent.job)
    sent.resolve(outcome)
  }

  /** Greets the workers, and sends every job that is not answered: the stream has just been made. */
  #sendAgain(): void {
    this.workers.greet()
    for (const id of this.#sent.keys()) this.#publishSoon(id)
  }
}

/** The message of a job, or the error of an input that JSON cannot contain. */
function encodeJob(message: JobMessage): Uint8Array | Error {
  try {
    return encode(message)
  } catch (thrown) {
    return errorOf(thrown)
  }
}
