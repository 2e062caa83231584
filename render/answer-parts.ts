import { type Components, renderCall } from './execute.ts'
import type { PartMarks, PartMessage, PartReply, RenderThreadMessage } from './protocol.ts'

/** Sends a message to the main thread. */
export type Tell = (message: RenderThreadMessage, transfer: ArrayBuffer[]) => void

/** Makes the function of a render thread that answers the messages with parts, in turn. */
export function partsAnswerer(
  components: Components,
  { started, left }: PartMarks,
  tell: Tell,
): (message: PartMessage) => void {
  let turn: Promise<unknown> = Promise.resolve()

  async function answer({ calls, slot }: PartMessage): Promise<void> {
    const replies: PartReply[] = []
    for (const [index, call] of calls.entries()) {
      Atomics.store(started, slot, index + 1)
      const hasLeft = (Atomics.load(left, slot) & (1 << index)) !== 0
      const reply = hasLeft ? { kind: 'expired' as const } : renderCall(components, call)
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
