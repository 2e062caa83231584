import type { Msg, NatsConnection } from '@nats-io/transport-node'
import type { Check } from '../../lib/check.ts'
import { createComplaint } from '../../lib/cli/terminal.ts'
import { stackOf } from '../../lib/threads/thrown.ts'
import { decode } from './protocol.ts'

/**
 * Handles the messages of a subject. One that is malformed is dropped and reported, and no error ends this process.
 * @param note reports something in one line
 */
export function listenTo<Message>(
  connection: NatsConnection,
  subject: string,
  isMessage: Check<Message>,
  note: (line: string) => void,
  handle: (message: Message) => void,
): void {
  const malformed = createComplaint(note)
  const failed = createComplaint(note)
  const attempt = (run: () => void) => {
    try {
      run()
    } catch (thrown) {
      failed(`NATS: a message of ${subject} could not be handled: ${stackOf(thrown)}`)
    }
  }
  connection.subscribe(subject, {
    callback(error, message) {
      if (error) return note(`NATS: ${subject}: ${error.message}`)
      const received = read(message, isMessage)
      if (received === undefined) malformed(`NATS: a message of ${subject} is malformed`)
      else attempt(() => handle(received))
    },
  })
}

/** The content of a message; undefined if it is malformed. */
export function read<Message>({ data }: Msg, isMessage: Check<Message>): Message | undefined {
  try {
    const received = decode<unknown>(data)
    return isMessage(received) ? received : undefined
  } catch {
    return undefined
  }
}
