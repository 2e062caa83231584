import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from '../lib/lower-priority.ts'
import { loadPageData, loadRenderer, renderCall } from './execute.ts'
import { PageMaker } from './page-maker.ts'
import type {
  PartMessage,
  PartReply,
  RenderThreadData,
  RenderThreadMessage,
  ToRenderThread,
} from './protocol.ts'

/** A render thread gets parts or pages, and returns bytes. */
const { rendererFile, pageData, started, arrived, priority } = workerData as RenderThreadData
const renderer = await loadRenderer(rendererFile)
const pages =
  pageData &&
  new PageMaker({
    renderer,
    data: await loadPageData(pageData),
    started,
    arrived,
    send: pieces =>
      tell(
        { kind: 'pieces', pieces },
        pieces.flatMap(({ html }) => html?.buffer ?? []),
      ),
  })
// The priority is lowered after loading, for the reason given in workers/thread.ts.
lowerPriority(priority)

function tell(message: RenderThreadMessage, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer)
}

let turn: Promise<unknown> = Promise.resolve()

parentPort?.on('message', (message: ToRenderThread) => {
  switch (message.kind) {
    case 'parts':
      // The cause of an error is looked up asynchronously; the next message waits for that.
      turn = turn.then(() => answer(message))
      return
    case 'pages':
      for (const page of message.pages) pages?.begin(page)
      return
    case 'leave':
      return pages?.leave(message)
    default:
      throw new TypeError(`unknown message ${JSON.stringify(message)}`)
  }
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
