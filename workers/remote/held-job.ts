import type { Msg } from '@nats-io/transport-node'
import { ClientWatch, type WaitingClient } from '../../lib/threads/envelope.ts'
import { monotonicMs } from '../../lib/units.ts'
import type { TaskJob } from '../job.ts'
import type { JobMessage } from './protocol.ts'

/** A job that a worker has pulled and not answered. */
export class HeldJob extends ClientWatch implements WaitingClient {
  readonly replyTo: string
  readonly id: number
  readonly job: TaskJob
  /** By the clock of this machine. */
  readonly deadline: number
  /** The messages that brought this job: NATS delivers a job again of which it has heard nothing for a time. */
  readonly deliveries: Msg[]

  constructor([replyTo, id, budgetMs, _isPressed, requestId, calls]: JobMessage, delivery: Msg) {
    super()
    this.replyTo = replyTo
    this.id = id
    this.deliveries = [delivery]
    this.deadline = monotonicMs() + budgetMs
    this.job = {
      calls: calls.map(([name, input, traceparent]) => ({
        name,
        input,
        envelope: { requestId, traceparent, deadline: this.deadline },
      })),
    }
  }
}

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
