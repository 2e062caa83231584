import { hydrateRoot } from 'react-dom/client'
import type { Recommendation } from '../../../orders/order.ts'
import { App, type AppProps } from './app.tsx'
import { type OrderView, type PageQuery, settled } from './data.ts'
import { RECOMMENDATIONS_ID } from './recommendations.tsx'
import { PAGE_ID } from './summary.tsx'

/** The code that runs in the browser: it hydrates the whole document, from the data that came with it. */
const { query, assets, orders } = read<Omit<AppProps, 'content'> & { orders: readonly OrderView[] }>(PAGE_ID)

let recommendations: Promise<readonly Recommendation[] | null> | undefined

const content = {
  orders: settled(orders),
  /** Recommendations are read when React renders their part, because they may come after this script. */
  get recommendations() {
    recommendations ??= readRecommendations()
    return recommendations
  },
}

hydrateRoot(document, <App query={query} assets={assets} content={content} readForm={readForm} />)

function readForm(form: HTMLFormElement, shown: PageQuery): PageQuery | undefined {
  const chosen = new FormData(form)
  if (Object.entries(shown).every(([name, value]) => chosen.get(name) === String(value))) return undefined
  history.replaceState(null, '', `?${new URLSearchParams(chosen as unknown as Record<string, string>)}`)
  const { search, status, sort } = Object.fromEntries(chosen) as unknown as PageQuery
  return { ...shown, search, status, sort }
}

/** @throws when the data has not come, because the server failed: the error boundary of the part then shows that */
function read<Data>(id: string): Data {
  const text = document.getElementById(id)?.textContent
  if (!text) throw new Error(`the page has no #${id}`)
  return JSON.parse(text)
}

/**
 * The recommendations, which may come late. When the reader changes the list before, React renders their part in the browser and no
 * longer takes it over from the server. They are the last part of the document, so they have come when it ends.
 * @throws Error when the document has ended without them, because the server failed
 */
function readRecommendations(): Promise<readonly Recommendation[] | null> {
  if (document.readyState !== 'loading') return settled(read(RECOMMENDATIONS_ID))
  const ended = new Promise(resolve => document.addEventListener('DOMContentLoaded', resolve))
  return ended.then(() => read(RECOMMENDATIONS_ID))
}
