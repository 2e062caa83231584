import type { TaskJob, TaskReply } from './job.ts'
import type { PackedJob, PackedReply } from './protocol.ts'

/**
 * A job as it travels. An answer travels as one list: an object with names costs several times as much to copy. Any
 * other job travels as it is.
 */
export function packJob(job: TaskJob): PackedJob {
  const { answer, calls, isAlone } = job
  if (isAlone && calls) return { calls }
  if (!answer) return job
  const { requestId, traceparent, deadline } = answer.envelope
  return [requestId, traceparent, deadline, answer.input]
}

/** The job that `packJob` was given. */
export function unpackJob(packed: PackedJob): TaskJob {
  if (!isList(packed)) return packed
  // By index, because V8 takes lists apart by an iterator until it has optimized this function.
  const envelope = { requestId: packed[0], traceparent: packed[1], deadline: packed[2] }
  return { answer: { input: packed[3], envelope } }
}

/** A reply as it travels: an answer as its list, unless its tasks have written log lines; any other reply as it is. */
export const packReply = (reply: TaskReply): PackedReply =>
  reply.kind === 'done' && reply.answer && !reply.lines ? reply.answer : reply

/** The reply that `packReply` was given. */
export const unpackReply = (packed: PackedReply): TaskReply =>
  isList(packed) ? { kind: 'done', runs: [], answer: packed } : packed

const isList = (packed: unknown): packed is readonly unknown[] => Array.isArray(packed)
