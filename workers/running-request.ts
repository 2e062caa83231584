import type { Envelope } from '../lib/envelope.ts'
import type { AnswerRequest } from './answers.ts'

/** The request of a job, in the thread or process that works for it. */
export class RunningRequest implements AnswerRequest {
  readonly envelope: Envelope
  report: unknown
  #gone = false
  #onGone: Set<() => void> | undefined

  constructor(envelope: Envelope) {
    this.envelope = envelope
  }

  get gone(): boolean {
    return this.#gone
  }

  onGone(listener: () => void): () => void {
    this.#onGone ??= new Set()
    this.#onGone.add(listener)
    return () => this.#onGone?.delete(listener)
  }

  /** Tells every listener, once, that the client has left or the request has failed. */
  leave(): void {
    this.#gone = true
    for (const listener of this.#onGone ?? []) listener()
    this.#onGone = undefined
  }
}
