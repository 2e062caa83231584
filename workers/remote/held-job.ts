import type { Msg } from '@nats-io/transport-node'
import type { Requester } from '../../lib/main-thread/job.ts'
import { monotonicMs } from '../../lib/units.ts'
import type { TaskJob } from '../job.ts'
import type { JobMessage } from './protocol.ts'

/** A job that a worker has pulled and not answered. */
export class HeldJob implements Requester {
  readonly replyTo: string
  readonly id: number
  readonly job: TaskJob
  /** By the clock of this machine. */
  readonly deadline: number
  /** The messages that brought this job: NATS delivers a job again of which it has heard nothing for a time. */
  readonly deliveries: Msg[]
  #gone = false
  readonly #onGone: (() => void)[] = []

  constructor([replyTo, id, budgetMs, _isPressed, requestId, calls]: JobMessage, delivery: Msg) {
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

  get gone(): boolean {
    return this.#gone
  }

  onGone(listener: () => void): void {
    this.#onGone.push(listener)
  }

  cancel(): void {
    this.#gone = true
    for (const listener of this.#onGone) listener()
  }
}
