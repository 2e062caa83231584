import type { MessageEnd } from '../../lib/main-thread/job.ts'
import { monotonicMs } from '../../lib/units.ts'
import type { TaskJob, TaskReply } from '../job.ts'
import type { JobMessage, RemoteReply } from '../remote/protocol.ts'

/** A job as it is sent to another machine. @param isPressed whether further jobs wait */
export function messageFor(replyTo: string, id: number, job: TaskJob, isPressed: boolean): JobMessage {
  const { calls = [] } = job
  const { requestId = '', deadline = 0 } = calls[0]?.envelope ?? {}
  return [
    replyTo,
    id,
    deadline - monotonicMs(),
    isPressed,
    requestId,
    calls.map(({ name, input, envelope }) => [name, input, envelope.traceparent]),
  ]
}

/** A reply of another machine, with the times of its tasks by the clock of this one. */
export function outcomeOf(reply: RemoteReply, nowMs: number): MessageEnd<TaskReply> {
  if (reply.kind === 'lost') return { kind: 'lost', started: 1, timedOut: reply.timedOut, why: reply.why }
  if (reply.kind !== 'done') return { kind: 'replies', replies: [reply] }
  const runs = reply.runs.map(({ output, agoMs, runMs }) => ({ output, startedAtMs: nowMs - agoMs, runMs }))
  return { kind: 'replies', replies: [{ ...reply, runs }] }
}
