import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from '../lib/lower-priority.ts'
import { loadRenderer, renderCall } from './execute.ts'
import type { PartMessage, PartReply, RenderThreadData, RenderThreadMessage } from './protocol.ts'

/** A render thread: parts in, bytes out, one message at a time. */
const { rendererFile, started, priority } = workerData as RenderThreadData
const renderer = await loadRenderer(rendererFile)
// Only now, as in workers/thread.ts.
lowerPriority(priority)

const tell = (message: RenderThreadMessage, transfer: ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, transfer)

let turn: Promise<unknown> = Promise.resolve()

parentPort?.on('message', (message: PartMessage) => {
  // A part that throws is looked into asynchronously: the next message waits for that.
  turn = turn.then(() => answer(message))
})
tell({ kind: 'ready' })

async function answer({ calls, slot }: PartMessage): Promise<void> {
  const replies: PartReply[] = []
  for (const [index, call] of calls.entries()) {
    Atomics.store(started, slot, index + 1)
    const reply = renderCall(renderer, call)
    replies.push(reply instanceof Promise ? await reply : reply)
  }
  // The replies may be lost if another message ends this thread: none of these parts is to blame then.
  Atomics.store(started, slot, 0)
  const transfer = replies.flatMap(reply => (reply.kind === 'html' ? [reply.html.buffer] : []))
  tell({ kind: 'replies', slot, replies }, transfer)
}
