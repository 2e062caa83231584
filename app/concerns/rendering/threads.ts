import { setImmediate as turn } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { record } from '../../../lib/record.ts'
import { compactBytes } from '../../../lib/threads/compact.ts'
import { createRenderer } from '../../../render/main-thread/renderer.ts'
import { fetchPageData, sourceNames } from '../../pages/sources.ts'
import type { ThreadPageOptions } from '../../pages/thread-page.ts'
import { within } from '../../pages/within.ts'
import { Problem, toProblem } from '../../problems.ts'
import type {
  CreateRendering,
  FetchingProps,
  PageFetching,
  PageRequest,
  RenderingOptions,
} from './contract.ts'
import { type Noted, PageInThread } from './page-in-thread.ts'

const THREAD_PAGE = new URL('../../pages/thread-page.ts', import.meta.url)

/**
 * A page of React components takes most of the main thread while it is rendered. Here React streams it in a thread, and
 * the main thread passes on the bytes.
 */
export const createRendering: CreateRendering = async options => {
  const { threads, workerPriority, workerMemoryMib, partTimeoutMs, pageFile, fetching } = options
  const renderer = await createRenderer({
    app: THREAD_PAGE,
    appOptions: {
      page: pathToFileURL(pageFile).href,
      fetching: fetching && { file: fetching.file, data: fetching.data },
    } satisfies ThreadPageOptions,
    ...{ threads, workerPriority, workerMemoryMib },
    shellTimeoutMs: partTimeoutMs,
    onError: (error, page) => (page as Noted).noteError(error),
    onPage: (times, page) => (page as Noted).noteTimes(times),
  })
  const open = fetching ? openFetching(fetching, options) : openFetched(options)
  return {
    async render(request) {
      let page: PageInThread
      try {
        if (request.context.gone) throw new Problem('CLIENT_GONE')
        page = await open(request)
      } catch (error) {
        const problem = toProblem(error)
        request.onEnd(problem)
        throw problem
      }
      return page.begin(renderer)
    },
    hang: order => PageInThread.hang(renderer, order),
    queue: { workers: threads, oldestWaitMs: () => renderer.waiting.oldestMs },
    readPool: async () => ({
      size: threads,
      queueLength: renderer.waiting.pages,
      threadCpuMicros: await renderer.readCpuMicros(),
    }),
    kill: () => renderer.kill(),
    close: () => renderer.close(),
  }
}

type OpenPage = (request: PageRequest) => PageInThread | Promise<PageInThread>

/** The main thread fetches the data, and passes it on as it comes. A page without orders needs no thread. */
const openFetched =
  ({ upstream, upstreamType: type }: RenderingOptions): OpenPage =>
  async request => {
    const { context, query, deadline } = request
    const data = fetchPageData(upstream, query, context)
    let recommendations: Promise<Uint8Array | null> | Uint8Array | null = data.recommendations
      .then(compactBytes)
      .catch((error: unknown) => {
        request.onMissing('recommendations', toProblem(error))
        return null
      })
      .then(bytes => {
        recommendations = bytes
        return bytes
      })
    const orders = compactBytes(await within(deadline, data.orders))
    // Upstream often answers both calls in one turn of the event loop.
    if (recommendations instanceof Promise) await turn()
    return new PageInThread(request, { query, type, deadline, orders, recommendations })
  }

/** The thread fetches the data. The calls are recorded here, because upstream gets the ids of their spans. */
const openFetching =
  ({ begin }: PageFetching, { upstreamType: type }: RenderingOptions): OpenPage =>
  request => {
    const { context, query, deadline } = request
    const calls = record(sourceNames, () => begin(context.span))
    const headers = record(sourceNames, source => calls[source].headers)
    const callIds = record(sourceNames, source => calls[source].id)
    const fetching: FetchingProps = { query, callDeadline: context.deadline, headers, callIds }
    return new PageInThread(request, { type, deadline, ...fetching }, calls)
  }
