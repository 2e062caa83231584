import { load as loadWell, type PageNotes, type PageProps } from './page.ts'
import type { AppProps } from './view/app.tsx'
import { settled } from './view/data.ts'

export { default, options, react } from './page.ts'

/** The seed of a page whose shell throws. */
export const THROWING_SEED = 990_001

const fail = () => {
  throw new RangeError('on purpose')
}

/** Orders that throw when a component reads them. */
const trap = new Proxy([], { get: (_, key) => key !== 'then' && fail() })

export async function load(request: { readonly props: PageProps }, page: PageNotes): Promise<AppProps> {
  const loaded = await loadWell(request, page)
  if (request.props.query.seed !== THROWING_SEED) return loaded
  return { ...loaded, content: { ...loaded.content, orders: settled(trap) } }
}
