import { Departure } from '../lib/threads/departure.ts'
import type { Envelope } from '../lib/threads/envelope.ts'
import type { AnswerRequest } from './answers.ts'

/** The request of a job, in the thread or process that works for it. It is left, too, when it has failed. */
export class RunningRequest extends Departure implements AnswerRequest {
  readonly envelope: Envelope
  report: unknown

  constructor(envelope: Envelope) {
    super()
    this.envelope = envelope
  }
}
