import { setTimeout as delay } from 'node:timers/promises'
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream'
import { type NatsConnection, nanos } from '@nats-io/transport-node'
import { UserError } from '../../lib/cli/user-error.ts'
import { STREAM, subjects } from './protocol.ts'

/** Bounds of the stream. Apps publish only what the workers have room for, so that it is nearly empty. */
const MAX_JOBS = 100_000
const MAX_BYTES = 64 * 2 ** 20
const MAX_AGE_MS = 60_000
/** Time after which a job is given to another worker, unless its worker says that it still has it. */
const ACK_WAIT_MS = 800
/** The interval at which a worker says that it still has a job. */
export const IN_PROGRESS_MS = 200
/** A job is begun at most this number of times. A worker that gets it once more reports it as lost. */
export const MAX_DELIVERIES = 3
/** If a version of the tasks has no worker for this time, NATS forgets its consumer. */
const FORGET_MS = 300_000

/** NATS says by these codes that a stream or consumer has other settings. An operator may have made it so, and it is kept. */
const KEPT_AS_THEY_ARE: readonly number[] = [10058, 10148, 10013]
const NO_JETSTREAM = 10039
const RETRY_MS = 200

interface JobStreamOptions {
  readonly connection: NatsConnection
  /** The version of the tasks. */
  readonly version: string
  /** Called whenever the stream is there, at first or again. */
  onOpen(): void
  onLost(): void
  /** Reports something that a person should know, in one line. */
  note(line: string): void
}

/** Keeps the stream of jobs: it is in memory, so a server that was started again has none. */
export class JobStream {
  readonly #options: JobStreamOptions
  #isReopening = false

  constructor(options: JobStreamOptions) {
    this.#options = options
    void this.#followConnection()
  }

  /** @throws UserError when NATS has no JetStream, or does not permit the stream */
  async open(): Promise<void> {
    const { connection, version, onOpen } = this.#options
    await prepareStream(connection, version)
    onOpen()
  }

  /** Has to be called when the stream was found missing. */
  async reopen(): Promise<void> {
    if (this.#isReopening) return
    this.#isReopening = true
    const { connection } = this.#options
    const tryToOpen = () =>
      this.open().then(
        () => true,
        () => false,
      )
    while (!connection.isClosed() && !(await tryToOpen())) await delay(RETRY_MS)
    this.#isReopening = false
  }

  async #followConnection(): Promise<void> {
    const { connection, note, onLost } = this.#options
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        note('the connection to NATS is lost')
        onLost()
      } else if (status.type === 'reconnect') {
        note('connected to NATS again')
        void this.reopen()
      } else if (status.type === 'error') note(`NATS: ${status.error.message}`)
    }
  }
}

/**
 * Makes the stream of jobs, and the consumer of this version of the tasks, in the memory of NATS, if it lacks them.
 * @throws UserError when NATS has no JetStream, or does not permit this
 */
async function prepareStream(connection: NatsConnection, version: string): Promise<void> {
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false })
    await keep(
      manager.streams.add({
        name: STREAM,
        subjects: [subjects.everyJob],
        retention: RetentionPolicy.Workqueue,
        storage: StorageType.Memory,
        discard: DiscardPolicy.New,
        max_msgs: MAX_JOBS,
        max_bytes: MAX_BYTES,
        max_age: nanos(MAX_AGE_MS),
      }),
    )
    await keep(
      manager.consumers.add(STREAM, {
        durable_name: version,
        filter_subject: subjects.jobs(version),
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        ack_wait: nanos(ACK_WAIT_MS),
        max_deliver: MAX_DELIVERIES + 1,
        max_ack_pending: MAX_JOBS,
        max_waiting: 4096,
        inactive_threshold: nanos(FORGET_MS),
        mem_storage: true,
      }),
    )
  } catch (error) {
    throw describe(error)
  }
}

async function keep(adding: Promise<unknown>): Promise<void> {
  try {
    await adding
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || !KEPT_AS_THEY_ARE.includes(error.code)) throw error
  }
}

function describe(error: unknown): Error {
  const { message, name } = error as Error
  const isMissing =
    error instanceof JetStreamApiError ? error.code === NO_JETSTREAM : /no responders/.test(message)
  return isMissing
    ? new UserError('this NATS server has no JetStream; start it as `nats-server -js`')
    : new UserError(`NATS refused the stream of jobs: ${name}: ${message}`)
}
