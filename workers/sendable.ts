import { describeThrown } from '../lib/threads/thrown.ts'
import type { FailedReply } from './job.ts'

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
