import { setImmediate as turn } from 'node:timers/promises'
import { monotonicMs } from '../../../lib/units.ts'
import * as ordersPage from '../../pages/page.ts'
import { GRACE_MS, partWith, problemOfComponent, within } from '../../pages/page-data.ts'
import type { AppProps } from '../../pages/view/app.tsx'
import { renderWholePage } from '../../pages/whole-page.ts'
import { Problem } from '../../problems.ts'
import type { CreateRendering } from './contract.ts'
import { fetchProps } from './stream.ts'

/** The mark of a boundary in which a component threw, in the HTML of renderToString. */
const FAILED = '<!--$!-->'

/** Renders with React's renderToString on the main thread, once all data is there. */
export const createRendering: CreateRendering = async ({ page = ordersPage, ...options }) => ({
  async render(request) {
    const { context, nonce, deadline, onMissing, onEnd } = request
    const props = await fetchProps(page, options, request)
    await within(deadline + GRACE_MS, props.content.recommendations)
    if (context.gone) throw new Problem('CLIENT_GONE')
    const startedAtMs = monotonicMs()
    try {
      const html = renderWholePage(page, props, nonce)
      if (html.includes(FAILED))
        for (const { part, problem } of await explain(page, props)) onMissing(part, problem)
      onEnd({ waitMs: 0, runMs: monotonicMs() - startedAtMs })
      return html
    } catch (error) {
      const [first] = await explain(page, props)
      throw first?.problem ?? error
    }
  },
  close: async () => {},
})

/** The errors of a page. renderToString does not report them, so the page is rendered once more. */
async function explain({ default: App, react }: typeof ordersPage, props: AppProps) {
  const errors: { part: ReturnType<typeof partWith>; problem: ReturnType<typeof problemOfComponent> }[] = []
  const { abort } = react.renderToPipeableStream(react.createElement(App, props), {
    onError(error, { componentStack }) {
      errors.push({ part: partWith(componentStack), problem: problemOfComponent(error, componentStack) })
    },
  })
  // React renders in the next turn of the event loop.
  await turn()
  await turn()
  abort()
  return errors
}
