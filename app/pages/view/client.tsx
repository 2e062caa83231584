import { hydrateRoot } from 'react-dom/client'
import type { Recommendation } from '../../../orders/order.ts'
import { App, type AppProps } from './app.tsx'
import { arrivalOf } from './arrival.ts'
import type { OrderView } from './orders-view.ts'
import type { PageQuery } from './query.ts'
import { RECOMMENDATIONS_ID } from './recommendations.tsx'
import { settled } from './settled.ts'
import { PAGE_ID } from './summary.tsx'

/** The code that runs in the browser: it hydrates the whole document, from the data that came with it. */
const { query, assets, orders } = read<Omit<AppProps, 'content'> & { orders: readonly OrderView[] }>(PAGE_ID)

let recommendations: Promise<readonly Recommendation[] | null> | undefined

const content = {
  orders: settled(orders),
  /** Recommendations are read when React renders their part, because they may come after this script. */
  get recommendations() {
    recommendations ??= arrivalOf(RECOMMENDATIONS_ID)
    return recommendations
  },
}

hydrateRoot(document, <App query={query} assets={assets} content={content} readForm={readForm} />)

function readForm(form: HTMLFormElement, shown: PageQuery): PageQuery | undefined {
  const chosen = new FormData(form)
  if (Object.entries(shown).every(([name, value]) => chosen.get(name) === String(value))) return undefined
  history.replaceState(null, '', `?${new URLSearchParams(chosen as unknown as Record<string, string>)}`)
  const { search, status, sort, theme } = Object.fromEntries(chosen) as unknown as PageQuery
  return { ...shown, search, status, sort, theme }
}

/** @throws when the data has not come, because the server failed: the error boundary of the part then shows that */
function read<Data>(id: string): Data {
  const text = document.getElementById(id)?.textContent
  if (!text) throw new Error(`the page has no #${id}`)
  return JSON.parse(text)
}
