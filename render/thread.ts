import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from '../lib/os/lower-priority.ts'
import { partsAnswerer } from './answer-parts.ts'
import { loadPageData, loadRenderer } from './execute.ts'
import { PageMaker } from './page-maker.ts'
import type { RenderThreadMessage, ToRenderThread } from './protocol.ts'
import type { RenderThreadData } from './thread-data.ts'

/** A render thread gets parts or pages, and returns bytes. */
const { rendererFile, pageData, started, awaited, priority } = workerData as RenderThreadData
const renderer = await loadRenderer(rendererFile)
const pages =
  pageData &&
  new PageMaker({
    renderer,
    data: await loadPageData(pageData),
    started,
    awaited,
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

const answerParts = partsAnswerer(renderer, started, tell)

parentPort?.on('message', (message: ToRenderThread) => {
  switch (message.kind) {
    case 'parts':
      return answerParts(message)
    case 'pages':
      for (const page of message.pages) pages?.make(page)
      return
    case 'leave':
      return pages?.leave(message)
    default:
      throw new TypeError(`unknown message ${JSON.stringify(message)}`)
  }
})
tell({ kind: 'ready' })
