import { createInbox, type Msg, type NatsConnection, nanos, type Subscription } from '@nats-io/transport-node'
import { monotonicMs } from '../../lib/units.ts'
import { STREAM } from './protocol.ts'

/** NATS forgets a request for jobs after this time, so that a worker that has gone gets none of them. */
const EXPIRES_MS = 2000
const MARGIN_MS = 500

/** Status of a pull request that has expired. Other statuses say that the stream or consumer has gone. */
const EXPIRED = 408

interface PullerOptions {
  readonly connection: NatsConnection
  /** The version of the tasks, which is the name of the consumer. */
  readonly version: string
  /** Number of further jobs for which there is room. */
  room(): number
  take(message: Msg): void
  /** Called when the stream or consumer has gone. */
  onMissing(): void
}

/**
 * Asks NATS for as many jobs as there is room for, with pull requests of JetStream (`$JS.API.CONSUMER.MSG.NEXT`). The `consume` of
 * the client asks for the next jobs before those that it has are done, and `fetch` makes a subscription for every request.
 */
export class Puller {
  readonly #options: PullerOptions
  readonly #inbox = createInbox()
  readonly #subscription: Subscription
  /** Number of jobs that were asked for and have not come. */
  #asked = 0
  #askedAtMs = 0
  /** Statuses of requests of an earlier generation are ignored. */
  #generation = 0
  #isOn = false

  constructor(options: PullerOptions) {
    this.#options = options
    this.#subscription = options.connection.subscribe(`${this.#inbox}.*`, {
      callback: (_error, message) => this.#receive(message),
    })
  }

  /** Forgets all earlier requests, and asks anew. */
  start(): void {
    this.#isOn = true
    this.#generation++
    this.#asked = 0
    this.pull()
  }

  /** Asks for no more jobs until `start` is called. */
  pause(): void {
    this.#isOn = false
  }

  /** Pauses for good. Jobs that were asked for go to other workers. */
  close(): void {
    this.pause()
    if (!this.#options.connection.isClosed()) this.#subscription.unsubscribe()
  }

  /** Has to be called when there is more room, and now and then. */
  pull(): void {
    if (!this.#isOn || this.#options.connection.isClosed()) return
    const nowMs = monotonicMs()
    if (this.#asked > 0 && nowMs > this.#askedAtMs + EXPIRES_MS + MARGIN_MS) return this.start()
    const { connection, version, room } = this.#options
    const batch = room() - this.#asked
    if (batch <= 0) return
    this.#asked += batch
    this.#askedAtMs = nowMs
    connection.publish(
      `$JS.API.CONSUMER.MSG.NEXT.${STREAM}.${version}`,
      JSON.stringify({ batch, expires: nanos(EXPIRES_MS) }),
      { reply: `${this.#inbox}.${this.#generation}` },
    )
  }

  #receive(message: Msg): void {
    const isJob = !message.subject.startsWith(this.#inbox)
    if (isJob) {
      this.#asked = Math.max(0, this.#asked - 1)
      return this.#options.take(message)
    }
    if (message.subject !== `${this.#inbox}.${this.#generation}`) return
    if (message.headers?.code !== EXPIRED) {
      this.pause()
      return this.#options.onMissing()
    }
    this.#asked -= Number(message.headers.get('Nats-Pending-Messages') || 0)
    this.pull()
  }
}
