import type { Msg } from '@nats-io/transport-node'

const words = {
  /** The job is done. */
  done: '+ACK',
  /** The worker still has the job. */
  inProgress: '+WPI',
  /** Nobody should get the job any more. */
  refused: '+TERM',
} as const

/** Answers a delivery with a word of JetStream. */
export const tell = (message: Msg, word: keyof typeof words): void => void message.respond(words[word])

/**
 * How often a job was delivered, this time included: `$JS.ACK.<stream>.<consumer>.<deliveries>.…`, or
 * `$JS.ACK.<domain>.<account>.<stream>.<consumer>.<deliveries>.…`.
 */
export function deliveriesOf({ reply = '' }: Msg): number {
  const parts = reply.split('.')
  return Number(parts[parts.length > 9 ? 6 : 4])
}
