import type { Transferable } from 'node:worker_threads'
import { describeThrown } from '../lib/threads/thrown.ts'
import type { FailedReply, TaskJob, TaskReply } from './job.ts'
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

const moved = new WeakMap<object, readonly Transferable[]>()

/**
 * Lets a task give away what it returns, instead of a copy of it: `return move(pixels)`.
 * @param transferList what is given away; by default the value itself, or the memory behind it if it is a view such as a
 * Buffer. A value that contains several parts needs the list of them
 * @returns the value
 */
export function move<Value extends object>(value: Value, transferList?: readonly Transferable[]): Value {
  const whole = (ArrayBuffer.isView(value) ? value.buffer : value) as Transferable
  moved.set(value, transferList ?? [whole])
  return value
}

/** What tasks give away with these outputs; undefined if nothing. */
export function transferListOf(outputs: Iterable<unknown>): readonly Transferable[] | undefined {
  let list: Transferable[] | undefined
  for (const output of outputs) {
    const given = moved.get(output as object)
    if (given) list = [...(list ?? []), ...given]
  }
  return list
}

/**
 * A reply that a message can contain: a failure if this one cannot be copied, because a task returned a function for
 * example.
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
