import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { decode } from './protocol.ts'

/**
 * Handles the messages of a subject. One that cannot be read is reported, and no error ends this process.
 * @param note reports something in one line
 */
export function listenTo<Message>(
  connection: NatsConnection,
  subject: string,
  note: (line: string) => void,
  handle: (message: Message) => void,
): void {
  connection.subscribe(subject, {
    callback(error, message) {
      if (error) return note(`NATS: ${subject}: ${error.message}`)
      const received = read<Message>(message)
      if (received === undefined) note(`NATS: a message of ${subject} is not JSON`)
      else handle(received)
    },
  })
}

/** The content of a message; undefined if it is not JSON. */
export function read<Message>({ data }: Msg): Message | undefined {
  try {
    return decode<Message>(data)
  } catch {
    return undefined
  }
}
