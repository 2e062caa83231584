import type { AnswerCall, PackedJob, PackedReply, Plain, TaskJob, TaskReply, TaskRun } from './protocol.ts'

/**
 * A job as it travels. One that is only an answer, with plain values as its input, travels as one list: an object with
 * names costs several times as much to copy. Any other job travels as it is.
 */
export function packJob(job: TaskJob): PackedJob {
  const { calls, answer } = job
  if (calls || !answer || !Array.isArray(answer.input)) return job
  const { requestId, traceparent, deadline } = answer.envelope
  return [requestId, traceparent, deadline, ...(answer.input as Plain[])]
}

/** The job that `packJob` was given. */
export function unpackJob(packed: PackedJob): TaskJob {
  if (!isList(packed)) return packed
  const [requestId, traceparent, deadline, ...input] = packed
  return { answer: { input, envelope: { requestId, traceparent, deadline } as AnswerCall['envelope'] } }
}

/** A reply as it travels: a finished answer in text as one list, any other reply as it is. */
export function packReply(reply: TaskReply): PackedReply {
  if (reply.kind !== 'done' || !reply.answer || reply.lines || !Array.isArray(reply.report)) return reply
  const { contentType, body } = reply.answer
  if (typeof body !== 'string') return reply
  const times = reply.runs.flatMap(({ startedAtMs, runMs }) => [startedAtMs, runMs])
  return [contentType, body, reply.runs.length, ...times, ...(reply.report as Plain[])]
}

/** The reply that `packReply` was given; outputs of tasks, which are in the answer, are undefined. */
export function unpackReply(packed: PackedReply): TaskReply {
  if (!isList(packed)) return packed
  // By index, because V8 takes lists apart by an iterator until it has optimized this function.
  const answer = { contentType: packed[0] as string, body: packed[1] as string }
  const reportAt = 3 + 2 * (packed[2] as number)
  const runs: TaskRun[] = []
  for (let at = 3; at < reportAt; at += 2)
    runs.push({ output: undefined, startedAtMs: packed[at] as number, runMs: packed[at + 1] as number })
  return { kind: 'done', runs, answer, report: packed.slice(reportAt) }
}

const isList = <Item>(packed: Item | readonly Plain[]): packed is readonly Plain[] => Array.isArray(packed)
