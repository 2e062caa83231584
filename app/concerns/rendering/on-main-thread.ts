import type { PageModule } from '../../pages/page.ts'
import type { PageRequest } from '../../pages/sources.ts'
import type { AppProps } from '../../pages/view/app.tsx'
import { Problem } from '../../problems.ts'
import type { Answer } from '../../route.ts'
import type { Rendering, RenderingOptions } from './contract.ts'

/** Renders a page whose orders are there. It calls `onEnd` unless it throws. */
type RenderPage = (page: PageModule, props: AppProps, request: PageRequest) => Promise<Answer['body']>

/** Renders on the main thread with the given function. All other work waits meanwhile. */
export async function renderOnMainThread(
  { page: source, upstreamType: type }: RenderingOptions,
  renderPage: RenderPage,
): Promise<Rendering> {
  const page: PageModule = await import(source.module.href)
  return {
    async render(request) {
      const { context, query, deadline } = request
      const data = source.open(request)
      const props = { query, type, deadline, ...data.props }
      const loaded = await page.load({ props }, { note: data.onNote })
      if (context.gone) throw new Problem('CLIENT_GONE')
      return renderPage(page, loaded, request)
    },
    close: async () => {},
  }
}
