import { createInbox, type Msg, type NatsConnection } from '@nats-io/transport-node'
import type { Outcome } from '../../lib/main-thread/work-queue.ts'
import { monotonicMs } from '../../lib/units.ts'
import type { TaskJob, TaskReply } from '../protocol.ts'
import {
  decode,
  encode,
  type Hello,
  type JobMessage,
  type RemoteReply,
  type ReplyMessage,
  subjects,
} from '../remote/protocol.ts'
import { prepareStream } from '../remote/stream.ts'
import { versionOf } from '../remote/version.ts'
import { KnownWorkers } from './known-workers.ts'

/** A queue knows better why a job is late, and a reply may just be coming. Each has this time. */
const GRACE_MS = 50
const RETRY_MS = 200
/**
 * NATS acknowledges at most one message in this time, for all before it: each acknowledgement would wake the main
 * thread once more.
 */
const ACKNOWLEDGE_MS = 100
/** Status of a message that nobody received: there is no stream. */
const NO_RESPONDERS = 503

interface RemoteOptions {
  /** The name of this app for people. */
  readonly name: string
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
  readonly deadline: number
  resolve(outcome: Outcome<TaskReply>): void
}

/**
 * Runs tasks on other machines, over NATS. A job is kept until its first reply: it is sent again when the connection
 * was lost, because the job, or its reply, may be lost too. Jobs of one turn of the event loop are written at once.
 */
export class RemoteTasks {
  readonly workers: KnownWorkers
  /** Replies to jobs that had been answered already, or given up. */
  lateReplies = 0
  readonly #connection: NatsConnection
  readonly #options: RemoteOptions
  readonly #version: string
  readonly #inbox = createInbox()
  readonly #replyTo = `${this.#inbox}.replies`
  readonly #sent = new Map<number, Sent>()
  readonly #ids = new Map<TaskJob, number>()
  #unpublished: number[] = []
  #lastId = 0
  #lastAcknowledgedId = 0
  #askedAtMs = 0
  #timer: NodeJS.Timeout | undefined

  private constructor(connection: NatsConnection, options: RemoteOptions) {
    const { tasksFile, onChange, note } = options
    this.#connection = connection
    this.#options = options
    this.#version = versionOf(tasksFile)
    this.workers = new KnownWorkers(this.#version, onChange, note)
    connection.subscribe(`${this.#inbox}.*`, { callback: (_error, message) => this.#receive(message) })
    connection.subscribe(subjects.heartbeat, {
      callback: (_error, { data }) => this.workers.hear(decode(data)),
    })
    void this.#followConnection()
  }

  /** @throws UserError when NATS has no JetStream */
  static async start(connection: NatsConnection, options: RemoteOptions): Promise<RemoteTasks> {
    const tasks = new RemoteTasks(connection, options)
    await prepareStream(connection, tasks.#version)
    tasks.#greet()
    return tasks
  }

  /** Sends a job. It never rejects: a job that is given up or that NATS refuses is lost. */
  dispatch(job: TaskJob): Promise<Outcome<TaskReply>> {
    return new Promise(resolve => {
      const id = ++this.#lastId
      const deadline = job.calls?.[0]?.envelope.deadline ?? monotonicMs()
      this.#sent.set(id, { job, deadline, resolve })
      this.#ids.set(job, id)
      this.#timer ??= this.#wakeAt(deadline)
      this.#publishSoon(id)
    })
  }

  /** Gives a job up, because its client has left. Its worker does not begin it. */
  cancel(job: TaskJob): void {
    const id = this.#ids.get(job)
    if (id !== undefined) this.#giveUp(id, { kind: 'lost', started: 0 })
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.workers.close()
    await this.#connection.drain().catch(() => {})
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
    const data = encode(this.#messageOf(id))
    const limitBytes = this.#connection.info?.max_payload ?? Number.POSITIVE_INFINITY
    if (data.length <= limitBytes)
      return this.#connection.publish(subjects.jobs(this.#version), data, options)
    const why = `a job of ${data.length} bytes is more than the ${limitBytes} that NATS takes (max_payload)`
    this.#settle(id, { kind: 'lost', started: 1, why })
  }

  #messageOf(id: number): JobMessage {
    const { job, deadline } = this.#sent.get(id) as Sent
    const { calls = [] } = job
    return [
      this.#replyTo,
      id,
      deadline - monotonicMs(),
      this.#options.isPressed(),
      calls[0]?.envelope.requestId ?? '',
      calls.map(({ name, input, envelope }) => [name, input, envelope.traceparent]),
    ]
  }

  #receive(message: Msg): void {
    if (message.subject === this.#replyTo) {
      const nowMs = monotonicMs()
      for (const [id, reply] of decode<ReplyMessage>(message.data)) this.#settle(id, outcomeOf(reply, nowMs))
    } else this.#heedAcknowledgement(message)
  }

  /** An acknowledgement that begins with `{"error"` says that jobs since the one before were not accepted. */
  #heedAcknowledgement({ headers, data, subject }: Msg): void {
    if (headers?.code === NO_RESPONDERS) return void this.#prepare()
    const last = Number(subject.slice(this.#inbox.length + 1))
    if (data[2] === 'e'.charCodeAt(0)) {
      const why = `NATS refused the job: ${decode<{ error: { description: string } }>(data).error.description}`
      for (const id of [...this.#sent.keys()].filter(id => id > this.#lastAcknowledgedId && id <= last))
        this.#settle(id, { kind: 'lost', started: 1, why })
    }
    this.#lastAcknowledgedId = Math.max(this.#lastAcknowledgedId, last)
  }

  #settle(id: number, outcome: Outcome<TaskReply>): boolean {
    const sent = this.#sent.get(id)
    if (!sent) {
      this.lateReplies++
      return false
    }
    this.#sent.delete(id)
    this.#ids.delete(sent.job)
    sent.resolve(outcome)
    return true
  }

  #giveUp(id: number, outcome: Outcome<TaskReply>): void {
    this.#settle(id, outcome)
    this.#connection.publish(subjects.cancel, encode([this.#replyTo, id]))
  }

  #wakeAt(deadline: number): NodeJS.Timeout {
    return setTimeout(() => this.#expire(), Math.max(1, deadline + GRACE_MS - monotonicMs())).unref()
  }

  /** The job that was sent first nearly always has the first deadline, so one timer is enough. */
  #expire(): void {
    this.#timer = undefined
    const nowMs = monotonicMs()
    for (const [id, { deadline }] of this.#sent) {
      if (deadline + GRACE_MS > nowMs) {
        this.#timer = this.#wakeAt(deadline)
        return
      }
      this.#giveUp(id, { kind: 'replies', replies: [{ kind: 'expired' }] })
    }
  }

  #greet(): void {
    const hello: Hello = { app: this.#options.name, tasks: this.#version }
    this.#connection.publish(subjects.hello, encode(hello))
  }

  /** Makes the stream again, which is in memory, and sends every job that is not answered. */
  async #prepare(): Promise<void> {
    while (!this.#connection.isClosed()) {
      try {
        await prepareStream(this.#connection, this.#version)
        this.#greet()
        for (const id of this.#sent.keys()) this.#publishSoon(id)
        return
      } catch {
        await new Promise(resolve => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  async #followConnection(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === 'disconnect') {
        this.#options.note('the connection to NATS is lost')
        this.workers.forget()
      } else if (type === 'reconnect') {
        this.#options.note('connected to NATS again')
        void this.#prepare()
      }
    }
  }
}

/** A reply, with the times of its tasks by the clock of this machine. */
function outcomeOf(reply: RemoteReply, nowMs: number): Outcome<TaskReply> {
  if (reply.kind === 'lost') return { kind: 'lost', started: 1, timedOut: reply.timedOut, why: reply.why }
  if (reply.kind !== 'done') return { kind: 'replies', replies: [reply] }
  const runs = reply.runs.map(({ output, agoMs, runMs }) => ({ output, startedAtMs: nowMs - agoMs, runMs }))
  return { kind: 'replies', replies: [{ ...reply, runs }] }
}
