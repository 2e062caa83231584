import { packTimes, unpackTimes } from '../lib/telemetry/call-times.ts'
import type { AnswerCall, AnswerReport, Plain, TaskJob, TaskReply, TaskRun } from './job.ts'
import type { PackedJob, PackedReply } from './protocol.ts'

/**
 * A job as it travels. One that is only an answer, with plain values as its input, travels as one list: an object with
 * names costs several times as much to copy. Any other job travels as it is.
 */
export function packJob(job: TaskJob): PackedJob {
  const { answer } = job
  if (!answer || !Array.isArray(answer.input)) return job
  const { input, headers } = answer
  const { requestId, traceparent, deadline } = answer.envelope
  const packed: Plain[] = [requestId, traceparent, deadline, input.length, ...input]
  for (const header in headers) packed.push(header, headers[header])
  return packed
}

/** The job that `packJob` was given. */
export function unpackJob(packed: PackedJob): TaskJob {
  if (!isList(packed)) return packed
  const [requestId, traceparent, deadline, inputs, ...rest] = packed
  const input = rest.splice(0, inputs as number)
  const headers: Record<string, string> = {}
  for (let at = 0; at < rest.length; at += 2) headers[rest[at] as string] = rest[at + 1] as string
  return {
    answer: { input, headers, envelope: { requestId, traceparent, deadline } as AnswerCall['envelope'] },
  }
}

/** A reply as it travels: a finished answer in text that has a report as one list, any other reply as it is. */
export function packReply(reply: TaskReply): PackedReply {
  if (reply.kind !== 'done' || !reply.answer || reply.lines || !reply.report) return reply
  const { contentType, body } = reply.answer
  if (typeof body !== 'string') return reply
  const { times, lines } = reply.report
  const runs = reply.runs.flatMap(({ startedAtMs, runMs }) => [startedAtMs, runMs])
  return [contentType, body, lines.text, lines.count, ...packTimes(times), ...runs]
}

const TIMES_AT = 4
const RUNS_AT = 9

/** The reply that `packReply` was given; outputs of tasks, which are in the answer, are undefined. */
export function unpackReply(packed: PackedReply): TaskReply {
  if (!isList(packed)) return packed
  const answer = { contentType: packed[0] as string, body: packed[1] as string }
  const lines = { text: packed[2], count: packed[3] } as AnswerReport['lines']
  const runs: TaskRun[] = []
  for (let at = RUNS_AT; at < packed.length; at += 2)
    runs.push({ output: undefined, startedAtMs: packed[at] as number, runMs: packed[at + 1] as number })
  return { kind: 'done', runs, answer, report: { times: unpackTimes(packed, TIMES_AT), lines } }
}

const isList = <Item>(packed: Item | readonly Plain[]): packed is readonly Plain[] => Array.isArray(packed)
