import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { sendable } from '../packing.ts'
import { tell } from './held-job.ts'
import type { RemoteReply } from './protocol.ts'

/** Several replies in one message stay below this size, which any server takes. */
const BATCH_BYTES = 65_536

interface Batch {
  readonly texts: string[]
  readonly deliveries: Msg[]
  sizeBytes: number
}

/** While the worker has other work, replies wait for others for this time: each message wakes the main thread of an app. */
const TOGETHER_MS = 10

/** Sends replies, several in one message, before their acknowledgements: a job whose reply is lost is delivered once more. */
export class Replies {
  readonly #connection: NatsConnection
  readonly #onSent: () => void
  readonly #batches = new Map<string, Batch>()
  #timer: NodeJS.Timeout | undefined

  /** @param onSent called after replies were sent */
  constructor(connection: NatsConnection, onSent: () => void) {
    this.#connection = connection
    this.#onSent = onSent
  }

  /** @param deliveries all deliveries of the job, which end with this reply */
  add(replyTo: string, id: number, reply: RemoteReply, deliveries: readonly Msg[]): void {
    const limitBytes = this.#connection.info?.max_payload ?? BATCH_BYTES
    const text = fit(id, reply, limitBytes)
    const sizeBytes = Buffer.byteLength(text) + 2
    const waiting = this.#batches.get(replyTo)
    if (waiting && waiting.sizeBytes + sizeBytes > Math.min(limitBytes, BATCH_BYTES))
      this.#send(replyTo, waiting)
    const batch = this.#batches.get(replyTo) ?? { texts: [], deliveries: [], sizeBytes: 0 }
    this.#batches.set(replyTo, batch)
    batch.texts.push(text)
    batch.deliveries.push(...deliveries)
    batch.sizeBytes += sizeBytes
  }

  /** Sends the replies soon. @param isBusy whether the worker has other work meanwhile */
  flushSoon(isBusy: boolean): void {
    if (!isBusy) setImmediate(() => this.flush())
    else this.#timer ??= setTimeout(() => this.flush(), TOGETHER_MS)
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#batches.size === 0) return
    for (const [replyTo, batch] of this.#batches) this.#send(replyTo, batch)
    this.#onSent()
  }

  #send(replyTo: string, { texts, deliveries }: Batch): void {
    this.#batches.delete(replyTo)
    if (this.#connection.isClosed()) return
    this.#connection.publish(replyTo, `[${texts.join(',')}]`)
    for (const delivery of deliveries) tell(delivery, 'done')
  }
}

/** The reply as text, or a failure if JSON cannot contain it or NATS does not take a reply of its size. */
function fit(id: number, reply: RemoteReply, limitBytes: number): string {
  const encoded = sendable(reply, JSON.stringify)
  const text = `[${id},${typeof encoded === 'string' ? encoded : JSON.stringify(encoded)}]`
  const sizeBytes = Buffer.byteLength(text) + 2
  if (sizeBytes <= limitBytes) return text
  const message = `the output of the tasks has ${sizeBytes} bytes, and NATS takes ${limitBytes} (max_payload)`
  return JSON.stringify([id, { kind: 'failed', message }])
}
