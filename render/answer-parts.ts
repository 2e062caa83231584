import type { PartMarks } from './component-protocol.ts'
import { renderCall } from './execute.ts'
import type { Dated, PartMessage, PartReply, RenderThreadMessage } from './protocol.ts'
import type { PartRenderer } from './renderer.ts'

/** Sends a message to the main thread. */
export type Tell = (message: RenderThreadMessage, transfer: ArrayBuffer[]) => void

/** Makes the function of a render thread that answers the messages with parts, in turn. */
export function partsAnswerer<Call extends Dated>(
  renderer: PartRenderer<Call>,
  { started, left }: PartMarks,
  tell: Tell,
): (message: PartMessage<Call>) => void {
  let turn: Promise<unknown> = Promise.resolve()

  async function answer({ calls, slot }: PartMessage<Call>): Promise<void> {
    const replies: PartReply[] = []
    for (const [index, call] of calls.entries()) {
      Atomics.store(started, slot, index + 1)
      const hasLeft = (Atomics.load(left, slot) & (1 << index)) !== 0
      const reply = hasLeft ? { kind: 'expired' as const } : renderCall(renderer, call)
      replies.push(reply instanceof Promise ? await reply : reply)
    }
    // If another message ends this thread, these replies may be lost. The mark 0 says that none of these parts caused it.
    Atomics.store(started, slot, 0)
    const transfer = replies.flatMap(reply => (reply.kind === 'html' ? [reply.html.buffer] : []))
    tell({ kind: 'replies', slot, replies }, transfer)
  }

  return message => {
    // The cause of an error is looked up asynchronously; the next message waits for that.
    turn = turn.then(() => answer(message))
  }
}
