import type { Outcome } from '../../lib/main-thread/work-queue.ts'
import type { PartReply } from '../protocol.ts'

/**
 * Sends the parts of a message that could not be posted, because the props of some of them cannot be copied. Those are
 * refused; the others are sent as copies.
 * @param dispatch sends copies of calls in one message
 */
export async function dispatchCopies(
  calls: readonly unknown[],
  dispatch: (copies: readonly unknown[]) => Promise<Outcome<PartReply>>,
): Promise<Outcome<PartReply>> {
  const refusals = new Map<number, PartReply>()
  const places: number[] = []
  const copies: unknown[] = []
  for (const [place, call] of calls.entries()) {
    try {
      copies.push(structuredClone(call))
      places.push(place)
    } catch (error) {
      refusals.set(place, { kind: 'not sent', message: String(error) })
    }
  }
  const outcome = await dispatch(copies)
  if (outcome.kind === 'lost') return { ...outcome, started: (places[outcome.started - 1] ?? -1) + 1 }
  const replies = outcome.replies.values()
  const replyAt = (place: number) => refusals.get(place) ?? (replies.next().value as PartReply)
  return { kind: 'replies', replies: calls.map((_, place) => replyAt(place)) }
}
