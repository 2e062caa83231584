import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { createComplaint } from '../../lib/cli/terminal.ts'
import { WorkQueue } from '../../lib/main-thread/work-queue.ts'
import { readProcessUsage } from '../../lib/os/usage.ts'
import type { TaskJob, TaskReply } from '../job.ts'
import { TaskThreads } from '../main-thread/task-threads.ts'
import { isCancel, isJob } from './checks.ts'
import { disconnect, listenTo, publish, read } from './connect.ts'
import { deliveriesOf, HeldJob, tell } from './held-job.ts'
import { IN_PROGRESS_MS, JobStream, MAX_DELIVERIES } from './job-stream.ts'
import type { WorkerOptions } from './options.ts'
import {
  type CancelMessage,
  doneReply,
  encode,
  failedReply,
  HEARTBEAT_MS,
  type Heartbeat,
  type RemoteReply,
  subjects,
} from './protocol.ts'
import { Puller } from './puller.ts'
import { Replies } from './replies.ts'
import { Room } from './room.ts'
import { versionOf } from './version.ts'

const complain = createComplaint()

/** Pulls jobs from NATS, as many as its threads have room for, runs them in these threads, and answers their apps. */
export class RemoteWorker {
  readonly version: string
  /** Whether it is connected and takes jobs. */
  isReady = false
  readonly #options: WorkerOptions
  readonly #connection: NatsConnection
  readonly #pool: TaskThreads
  readonly #queue: WorkQueue<TaskJob, TaskReply>
  readonly #puller: Puller
  readonly #replies: Replies
  /** The jobs that are not answered, by their app and id. */
  readonly #held = new Map<string, HeldJob>()
  readonly #room: Room
  readonly #stream: JobStream
  readonly #timers: readonly NodeJS.Timeout[]
  #isClosing = false
  #onIdle: (() => void) | undefined

  private constructor(connection: NatsConnection, options: WorkerOptions) {
    const { threads, tasksFile, note } = options
    this.#connection = connection
    this.#options = options
    this.version = versionOf(tasksFile)
    this.#room = new Room(threads)
    this.#pool = new TaskThreads(options)
    this.#queue = new WorkQueue({
      workers: threads,
      slots: this.#pool.slots,
      jobsPerMessage: 1,
      dispatch: (...message) => this.#pool.dispatch(...message),
    })
    this.#replies = new Replies(connection, () => this.#puller.pull())
    this.#puller = new Puller({
      connection,
      version: this.version,
      room: () => this.#room.slots - this.#held.size,
      take: message => this.#take(message),
      onMissing: () => void this.#stream.reopen(),
    })
    listenTo(connection, subjects.cancel, isCancel, note, message => this.#cancel(message))
    connection.subscribe(subjects.hello, { callback: () => this.#beat() })
    this.#timers = [
      setInterval(() => this.#tick(), IN_PROGRESS_MS),
      setInterval(() => this.#beat(), HEARTBEAT_MS),
    ]
    this.#stream = new JobStream({
      connection,
      note,
      version: this.version,
      onOpen: () => this.#begin(),
      onLost: () => this.#pause(),
    })
  }

  /** Starts the threads, and takes jobs. @throws UserError when NATS has no JetStream, or a thread does not start */
  static async start(connection: NatsConnection, options: WorkerOptions): Promise<RemoteWorker> {
    const worker = new RemoteWorker(connection, options)
    await worker.#pool.ready()
    await worker.#stream.open()
    return worker
  }

  /** Takes no more jobs, finishes those that it has, and disconnects. */
  async close(): Promise<void> {
    this.#isClosing = true
    this.isReady = false
    this.#room.close()
    this.#puller.close()
    this.#beat()
    const isCutOff = this.#connection.isClosed()
    if (this.#held.size > 0 && !isCutOff) await new Promise<void>(resolve => (this.#onIdle = resolve))
    for (const timer of this.#timers) clearInterval(timer)
    this.#replies.flush()
    await disconnect(this.#connection)
    await this.#pool.close()
  }

  #begin(): void {
    if (this.#isClosing) return
    this.isReady = true
    this.#puller.start()
    this.#beat()
  }

  #pause(): void {
    this.isReady = false
    this.#puller.pause()
  }

  #take(message: Msg): void {
    const received = read(message, isJob)
    if (!received) {
      complain('NATS: a job is malformed; no worker gets it')
      return tell(message, 'refused')
    }
    const [replyTo, id, , isPressed] = received
    const key = keyOf(replyTo, id)
    const held = this.#held.get(key)
    if (held) return void held.deliveries.push(message)
    const why = `${MAX_DELIVERIES} workers were lost while they had this job`
    if (deliveriesOf(message) > MAX_DELIVERIES)
      return this.#reply(replyTo, id, { kind: 'lost', timedOut: false, why }, [message])
    if (isPressed) this.#room.press()
    const job = new HeldJob(received, message)
    this.#held.set(key, job)
    void this.#run(key, job)
  }

  async #run(key: string, job: HeldJob): Promise<void> {
    const reply = await this.#queue.run(job, job.job).then(({ reply }) => doneReply(reply), failedReply)
    this.#held.delete(key)
    if (reply.kind === 'done') this.#room.noteRun(reply.runs.reduce((sum, { runMs }) => sum + runMs, 0))
    this.#reply(job.replyTo, job.id, reply, job.deliveries)
    if (this.#held.size === 0) this.#onIdle?.()
  }

  #reply(replyTo: string, id: number, reply: RemoteReply, deliveries: readonly Msg[]): void {
    this.#replies.add(replyTo, id, reply, deliveries)
    this.#replies.flushSoon(this.#held.size > this.#options.threads)
  }

  #cancel([replyTo, id]: CancelMessage): void {
    this.#held.get(keyOf(replyTo, id))?.abort()
  }

  /** Tells NATS that the jobs are in work, and asks for others if a request has expired or there is more room. */
  #tick(): void {
    if (this.#connection.isClosed()) return
    for (const { deliveries } of this.#held.values())
      for (const delivery of deliveries) tell(delivery, 'inProgress')
    if (this.#room.adapt()) this.#beat()
    this.#puller.pull()
  }

  #beat(): void {
    const heartbeat: Heartbeat = {
      worker: this.#options.name,
      tasks: this.version,
      threads: this.#options.threads,
      slots: this.#room.slots,
      held: this.#held.size,
      cpuMicros: readProcessUsage().cpuMicros,
    }
    publish(this.#connection, subjects.heartbeat, encode(heartbeat))
  }
}

const keyOf = (replyTo: string, id: number) => `${replyTo} ${id}`
