import type { EndEarly, MessageEnd } from '../../lib/main-thread/job.ts'
import { describeThrown, errorOf, findCloneError } from '../../lib/threads/thrown.ts'
import type { TaskReply } from '../job.ts'
import type { DispatchCopyable } from './task-threads.ts'

/** Dispatches jobs. One that cannot be copied fails, and no other. */
export const dispatchCopyable: DispatchCopyable = (jobs, dispatch, endEarly) =>
  dispatchSendable(
    jobs,
    dispatch,
    (error): TaskReply => ({ kind: 'failed', ...describeThrown(error) }),
    endEarly,
  )

type Dispatch<Call, Reply> = (calls: readonly Call[], endEarly: EndEarly<Reply>) => Promise<MessageEnd<Reply>>

/**
 * Dispatches calls in one message. If it cannot be posted, because some of the calls cannot be copied to a thread, those
 * are refused, and the others are dispatched without them.
 * @param dispatch posts a message; it throws what `postMessage` throws
 * @param refuse makes the reply to a call that cannot be copied
 * @param endEarly ends a call before the others of its message
 */
export function dispatchSendable<Call, Reply>(
  calls: readonly Call[],
  dispatch: Dispatch<Call, Reply>,
  refuse: (error: Error) => Reply,
  endEarly: EndEarly<Reply> = () => {},
): Promise<MessageEnd<Reply>> {
  try {
    return dispatch(calls, endEarly)
  } catch {
    return dispatchOthers(calls.map(findCloneError), calls, dispatch, refuse, endEarly)
  }
}

/** @param errors the error of each call that cannot be copied */
async function dispatchOthers<Call, Reply>(
  errors: readonly (Error | undefined)[],
  calls: readonly Call[],
  dispatch: Dispatch<Call, Reply>,
  refuse: (error: Error) => Reply,
  endEarly: EndEarly<Reply>,
): Promise<MessageEnd<Reply>> {
  const places = [...calls.keys()].filter(place => !errors[place])
  try {
    const outcome = await dispatch(
      places.map(place => calls[place] as Call),
      (index, reply) => endEarly(places[index] as number, reply),
    )
    if (outcome.kind === 'lost') return { ...outcome, started: (places[outcome.started - 1] ?? -1) + 1 }
    const replies = outcome.replies.values()
    return {
      kind: 'replies',
      replies: errors.map(error => (error ? refuse(error) : (replies.next().value as Reply))),
    }
  } catch (thrown) {
    // This happens only if a getter of the input returned a value that can be copied before, and now one that cannot.
    return { kind: 'replies', replies: errors.map(error => refuse(error ?? errorOf(thrown))) }
  }
}
