import { JobFailed } from '../../lib/main-thread/job.ts'
import { monotonicMs } from '../../lib/units.ts'
import type { TaskReply } from '../job.ts'
import type { RemoteReply } from './protocol.ts'

/** A reply of a thread, with durations in place of the times of this machine. */
export function doneReply(reply: TaskReply): RemoteReply {
  const { lines } = reply
  if (reply.kind === 'failed') return { ...reply, lines }
  if (reply.kind !== 'done') return { kind: 'expired', lines }
  const nowMs = monotonicMs()
  const runs = reply.runs.map(({ output, startedAtMs, runMs }) => ({
    output,
    runMs,
    agoMs: nowMs - startedAtMs,
  }))
  return { kind: 'done', runs, lines }
}

/** The reply to a job that the queue has given up, or whose thread has died. */
export function failedReply(error: unknown): RemoteReply {
  if (!(error instanceof JobFailed)) throw error
  const { failure, message: why } = error
  return ['died', 'timed out', 'not sent'].includes(failure)
    ? { kind: 'lost', timedOut: failure === 'timed out', why }
    : { kind: 'expired' }
}
