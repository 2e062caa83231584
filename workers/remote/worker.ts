import { setTimeout as delay } from 'node:timers/promises'
import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { WorkQueue } from '../../lib/main-thread/work-queue.ts'
import { readProcessUsage } from '../../lib/process-usage.ts'
import { TaskThreads } from '../main-thread/task-threads.ts'
import type { TaskJob, TaskPoolOptions, TaskReply } from '../protocol.ts'
import { deliveriesOf, tell } from './delivery.ts'
import { HeldJob } from './held-job.ts'
import {
  type CancelMessage,
  decode,
  encode,
  HEARTBEAT_MS,
  type Heartbeat,
  type Hello,
  type JobMessage,
  type RemoteReply,
  subjects,
} from './protocol.ts'
import { Puller } from './puller.ts'
import { doneReply, failedReply } from './remote-reply.ts'
import { Replies } from './replies.ts'
import { IN_PROGRESS_MS, MAX_DELIVERIES, prepareStream } from './stream.ts'
import { versionOf } from './version.ts'

/** Number of cancelled jobs that are remembered in case they are still pulled. */
const REMEMBERED = 1000
const RETRY_MS = 200
/** Number of jobs that wait for each thread: one is the least that keeps it busy while a reply and a job travel. */
const AHEAD = { min: 1, max: 64 }
/** Weight of one job in the mean duration of jobs. */
const SHARE = 1 / 16

interface WorkerOptions extends TaskPoolOptions {
  readonly name: string
  /** Milliseconds of work that wait for each thread, while apps have more jobs than the workers take. */
  readonly aheadMs: number
  /** Reports something that a person should know, in one line. */
  note(line: string): void
}

/** Pulls jobs from NATS, as many as its threads have room for, runs them in these threads, and answers their apps. */
export class RemoteWorker {
  readonly version: string
  readonly #options: WorkerOptions
  readonly #connection: NatsConnection
  readonly #pool: TaskThreads
  readonly #queue: WorkQueue<TaskJob, TaskReply>
  readonly #puller: Puller
  readonly #replies: Replies
  /** The jobs that are not answered, by their app and id. */
  readonly #held = new Map<string, HeldJob>()
  readonly #cancelled = new Set<string>()
  readonly #refused = new Set<string>()
  readonly #timers: readonly NodeJS.Timeout[]
  #slots: number
  /** Whether an app has said lately that further jobs wait. */
  #isPressed = false
  #meanRunMs = 0
  #isReady = false
  #isClosing = false
  #onIdle: (() => void) | undefined

  private constructor(connection: NatsConnection, options: WorkerOptions) {
    const { threads, tasksFile } = options
    this.#connection = connection
    this.#options = options
    this.version = versionOf(tasksFile)
    this.#slots = threads * (1 + AHEAD.min)
    this.#pool = new TaskThreads(options)
    this.#queue = new WorkQueue({
      workers: threads,
      slots: this.#pool.slots,
      jobsPerMessage: 1,
      dispatch: (jobs, slot) => this.#pool.dispatch(jobs, slot),
    })
    this.#replies = new Replies(connection, () => this.#puller.pull())
    this.#puller = new Puller({
      connection,
      version: this.version,
      room: () => this.#slots - this.#held.size,
      take: message => this.#take(message),
      onMissing: () => void this.#prepare(),
    })
    connection.subscribe(subjects.cancel, { callback: (_error, { data }) => this.#cancel(decode(data)) })
    connection.subscribe(subjects.hello, { callback: (_error, { data }) => this.#greet(decode(data)) })
    this.#timers = [
      setInterval(() => this.#tick(), IN_PROGRESS_MS),
      setInterval(() => this.#beat(), HEARTBEAT_MS),
    ]
    void this.#followConnection()
  }

  /**
   * Starts the threads, and then takes jobs.
   * @throws UserError when NATS has no JetStream, or a thread does not start
   */
  static async start(connection: NatsConnection, options: WorkerOptions): Promise<RemoteWorker> {
    const worker = new RemoteWorker(connection, options)
    await worker.#pool.ready()
    await prepareStream(connection, worker.version)
    worker.#begin()
    return worker
  }

  /** Whether it is connected and takes jobs. */
  get isReady(): boolean {
    return this.#isReady
  }

  /** Takes no more jobs, finishes those that it has, and disconnects. */
  async close(): Promise<void> {
    this.#isClosing = true
    this.#isReady = false
    this.#slots = 0
    this.#puller.close()
    this.#beat()
    if (this.#held.size > 0) await new Promise<void>(resolve => (this.#onIdle = resolve))
    for (const timer of this.#timers) clearInterval(timer)
    this.#replies.flush()
    await this.#connection.drain().catch(() => {})
    await this.#pool.close()
  }

  #begin(): void {
    this.#isReady = true
    this.#puller.start()
    this.#beat()
  }

  /** The stream is in memory, so a server that was started again has none. */
  async #prepare(): Promise<void> {
    this.#isReady = false
    while (!this.#isClosing) {
      try {
        await prepareStream(this.#connection, this.version)
        return this.#begin()
      } catch {
        await delay(RETRY_MS)
      }
    }
  }

  async #followConnection(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === 'disconnect') {
        this.#isReady = false
        this.#puller.pause()
        this.#options.note('the connection to NATS is lost')
      } else if (type === 'reconnect') {
        this.#options.note('connected to NATS again')
        void this.#prepare()
      }
    }
  }

  #take(message: Msg): void {
    const received = decode<JobMessage>(message.data)
    const [replyTo, id, , isPressed] = received
    const key = keyOf(replyTo, id)
    const held = this.#held.get(key)
    if (held) return void held.deliveries.push(message)
    const why = `${MAX_DELIVERIES} workers were lost while they had this job`
    if (deliveriesOf(message) > MAX_DELIVERIES)
      return this.#reply(replyTo, id, { kind: 'lost', timedOut: false, why }, [message])
    if (this.#cancelled.delete(key)) return this.#reply(replyTo, id, { kind: 'expired' }, [message])
    this.#isPressed ||= isPressed
    const job = new HeldJob(received, message)
    this.#held.set(key, job)
    void this.#run(key, job)
  }

  async #run(key: string, job: HeldJob): Promise<void> {
    const reply = await this.#queue.run(job, job.job).then(({ reply }) => doneReply(reply), failedReply)
    this.#held.delete(key)
    if (reply.kind === 'done') this.#noteRun(reply.runs.reduce((sum, { runMs }) => sum + runMs, 0))
    this.#reply(job.replyTo, job.id, reply, job.deliveries)
    if (this.#held.size === 0) this.#onIdle?.()
  }

  #reply(replyTo: string, id: number, reply: RemoteReply, deliveries: readonly Msg[]): void {
    this.#replies.add(replyTo, id, reply, deliveries)
    this.#replies.flushSoon(this.#held.size > this.#options.threads)
  }

  #noteRun(runMs: number): void {
    this.#meanRunMs = this.#meanRunMs === 0 ? runMs : this.#meanRunMs + (runMs - this.#meanRunMs) * SHARE
  }

  #cancel([replyTo, id]: CancelMessage): void {
    const key = keyOf(replyTo, id)
    const held = this.#held.get(key)
    if (held) return held.cancel()
    this.#cancelled.add(key)
    const [oldest] = this.#cancelled
    if (this.#cancelled.size > REMEMBERED) this.#cancelled.delete(oldest as string)
  }

  #greet({ app, tasks }: Hello): void {
    this.#beat()
    if (tasks === this.version || this.#refused.has(tasks)) return
    this.#refused.add(tasks)
    this.#options.note(
      `refused: ${app} has ${tasks}, and this worker has ${this.version}; it gets no jobs of that app`,
    )
  }

  /** Tells NATS that the jobs are in work, and asks for others if a request has expired or there is more room. */
  #tick(): void {
    if (this.#connection.isClosed()) return
    for (const { deliveries } of this.#held.values())
      for (const delivery of deliveries) tell(delivery, 'inProgress')
    this.#makeRoom()
    this.#puller.pull()
  }

  /** A slow worker takes fewer jobs ahead than a fast one: those that wait here cannot go to another. */
  #makeRoom(): void {
    if (this.#isClosing) return
    const { threads, aheadMs } = this.#options
    const jobs = this.#isPressed ? Math.ceil(aheadMs / this.#meanRunMs) : AHEAD.min
    const slots = threads * (1 + Math.min(AHEAD.max, Math.max(AHEAD.min, jobs)))
    this.#isPressed = false
    if (slots === this.#slots) return
    this.#slots = slots
    this.#beat()
  }

  #beat(): void {
    const heartbeat: Heartbeat = {
      worker: this.#options.name,
      tasks: this.version,
      threads: this.#options.threads,
      slots: this.#slots,
      held: this.#held.size,
      cpuMicros: readProcessUsage().cpuMicros,
    }
    if (!this.#connection.isClosed()) this.#connection.publish(subjects.heartbeat, encode(heartbeat))
  }
}

const keyOf = (replyTo: string, id: number) => `${replyTo} ${id}`
