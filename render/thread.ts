import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from '../lib/lower-priority.ts'
import { loadRenderer, renderCall } from './execute.ts'
import type { PartMessage, PartReply, RenderThreadData, RenderThreadMessage } from './protocol.ts'

/** A render thread gets parts and returns bytes, one message at a time. */
const { rendererFile, started, priority } = workerData as RenderThreadData
const renderer = await loadRenderer(rendererFile)
// The priority is lowered after loading, for the reason given in workers/thread.ts.
lowerPriority(priority)

const tell = (message: RenderThreadMessage, transfer: ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, transfer)

let turn: Promise<unknown> = Promise.resolve()

parentPort?.on('message', (message: PartMessage) => {
  // The cause of an error is looked up asynchronously; the next message waits for that.
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
  // If another message ends this thread, these replies may be lost. The mark 0 says that none of these parts caused it.
  Atomics.store(started, slot, 0)
  const transfer = replies.flatMap(reply => (reply.kind === 'html' ? [reply.html.buffer] : []))
  tell({ kind: 'replies', slot, replies }, transfer)
}
