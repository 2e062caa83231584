import type { Transferable } from 'node:worker_threads'
import { describeThrown } from '../lib/threads/thrown.ts'
import type { FailedReply, Plain, TaskCall, TaskJob, TaskReply } from './job.ts'
import type { PackedJob, PackedReply } from './protocol.ts'

/** A job as it travels: a list, which costs less to copy than an object with names; a job of several tasks as it is. */
export function packJob({ answer, calls = [] }: TaskJob): PackedJob {
  if (!answer && calls.length !== 1) return { calls }
  const { envelope, input } = answer ?? (calls[0] as TaskCall)
  const { requestId, traceparent, deadline } = envelope
  return [requestId, traceparent, deadline, input, answer ? undefined : calls[0]?.name]
}

/** The job that `packJob` was given. */
export function unpackJob(packed: PackedJob): TaskJob {
  if (!isList(packed)) return packed
  // By index, because V8 takes lists apart by an iterator until it has optimized this function.
  const envelope = { requestId: packed[0], traceparent: packed[1], deadline: packed[2] }
  const [input, name] = [packed[3], packed[4]]
  return name === undefined ? { answer: { input, envelope } } : { calls: [{ name, input, envelope }] }
}

/** A reply as it travels: a list if it is an answer or the output of one task, unless these have written log lines. */
export function packReply(reply: TaskReply): PackedReply {
  if (reply.kind !== 'done' || reply.lines) return reply
  if (reply.answer) return reply.answer
  const run = reply.runs[0]
  return run && reply.runs.length === 1 ? [run.output, run.startedAtMs, run.runMs] : reply
}

/** The reply that `packReply` was given. @param job what it replies to */
export function unpackReply(packed: PackedReply, job: TaskJob): TaskReply {
  if (!isList(packed)) return packed
  if (job.answer) return { kind: 'done', runs: [], answer: packed as readonly Plain[] }
  const run = { output: packed[0], startedAtMs: packed[1] as number, runMs: packed[2] as number }
  return { kind: 'done', runs: [run] }
}

const isList = (packed: unknown): packed is readonly unknown[] => Array.isArray(packed)

const moved = new WeakMap<object, readonly Transferable[]>()

/**
 * Lets a task give away what it returns, instead of a copy of it: `return move(pixels)`.
 * @param transferList by default the value itself, or the memory behind it if it is a view such as a Buffer
 */
export function move<Value extends object>(value: Value, transferList?: readonly Transferable[]): Value {
  const whole = (ArrayBuffer.isView(value) ? value.buffer : value) as Transferable
  moved.set(value, transferList ?? [whole])
  return value
}

/** What tasks give away with their outputs; undefined if nothing. */
export function transferListOf(
  replies: readonly (PackedReply | undefined | null)[],
): readonly Transferable[] | undefined {
  let list: Transferable[] | undefined
  for (const reply of replies)
    for (const output of outputsOf(reply)) {
      const given = moved.get(output as object)
      if (given) list = [...(list ?? []), ...given]
    }
  return list
}

function outputsOf(reply: PackedReply | undefined | null): readonly unknown[] {
  if (isList(reply)) return [reply[0]]
  return reply?.kind === 'done' ? reply.runs.map(({ output }) => output) : []
}

/**
 * A reply that a message can contain: a failure if this one cannot be copied, as a function cannot.
 * @param copy returns a copy without getters, which may change, or throws
 */
export function sendable<Reply extends object, Copy>(
  reply: Reply,
  copy: (reply: Reply) => Copy,
): Copy | FailedReply {
  try {
    return copy(reply)
  } catch (thrown) {
    // Of a failure with fields that cannot be copied, the rest can be.
    const { message, stack } = isFailed(reply) ? reply : describeThrown(thrown)
    return { kind: 'failed', message, stack }
  }
}

const isFailed = (reply: object): reply is FailedReply => 'kind' in reply && reply.kind === 'failed'
