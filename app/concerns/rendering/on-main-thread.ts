import { pathToFileURL } from 'node:url'
import { mainThreadQueue } from '../../../lib/main-thread/watched-queue.ts'
import { hang } from '../../../lib/threads/hang.ts'
import type { Answer } from '../../answer.ts'
import type { PageModule } from '../../pages/page.ts'
import { fetchPageData } from '../../pages/sources.ts'
import type { AppProps } from '../../pages/view/app.tsx'
import { Problem, toProblem } from '../../problems.ts'
import type { PageRequest, Rendering, RenderingOptions } from './contract.ts'

/** Renders a page whose orders are there. It calls `onEnd` unless it throws. */
type RenderPage = (page: PageModule, props: AppProps, request: PageRequest) => Promise<Answer['body']>

/** Renders on the main thread with the given function. All other work waits meanwhile. */
export async function renderOnMainThread(
  { pageFile, upstream, upstreamType: type }: RenderingOptions,
  renderPage: RenderPage,
): Promise<Rendering> {
  const page: PageModule = await import(pathToFileURL(pageFile).href)

  async function render(request: PageRequest): Promise<Answer['body']> {
    const { context, query, deadline } = request
    if (context.gone) throw new Problem('CLIENT_GONE')
    const data = fetchPageData(upstream, query, context)
    const props = await page.load({ query, type, deadline, ...data }, error =>
      request.onMissing('recommendations', toProblem(error)),
    )
    if (context.gone) throw new Problem('CLIENT_GONE')
    return renderPage(page, props, request)
  }

  return {
    async render(request) {
      try {
        return await render(request)
      } catch (error) {
        const problem = toProblem(error)
        request.onEnd(problem)
        throw problem
      }
    },
    hang: async order => hang(order),
    queue: mainThreadQueue,
    readPool: async () => undefined,
    close: async () => {},
  }
}
