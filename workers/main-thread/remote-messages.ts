import type { MessageEnd } from '../../lib/main-thread/job.ts'
import { monotonicMs } from '../../lib/units.ts'
import type { TaskJob, TaskReply } from '../job.ts'
import type { JobMessage, RemoteReply } from '../remote/protocol.ts'

/** The deadline of a job, in milliseconds by the monotonic clock. */
export const deadlineOf = ({ calls }: TaskJob): number => calls?.[0]?.envelope.deadline ?? monotonicMs()

/** A job as it is sent to another machine. @param isPressed whether further jobs wait */
export function messageFor(replyTo: string, id: number, job: TaskJob, isPressed: boolean): JobMessage {
  const { calls = [] } = job
  return [
    replyTo,
    id,
    deadlineOf(job) - monotonicMs(),
    isPressed,
    calls[0]?.envelope.requestId ?? '',
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
