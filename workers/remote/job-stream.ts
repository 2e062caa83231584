import { setTimeout as delay } from 'node:timers/promises'
import type { NatsConnection } from '@nats-io/transport-node'
import { prepareStream } from './stream.ts'

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
    while (!this.#options.connection.isClosed() && !(await this.#tryToOpen())) await delay(RETRY_MS)
    this.#isReopening = false
  }

  #tryToOpen(): Promise<boolean> {
    return this.open().then(
      () => true,
      () => false,
    )
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
