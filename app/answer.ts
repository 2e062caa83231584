import type { BodyStream } from '../lib/main-thread/send-stream.ts'

/** The answer that a client gets. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A stream is sent chunk by chunk. It is closed when it has been sent or the client has gone. */
  readonly body: string | Buffer | BodyStream
}

/** A complete body, with its type. */
export interface Encoded {
  readonly contentType: string
  readonly body: string | Buffer
}
