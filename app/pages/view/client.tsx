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
    recommendations ??= arrivalOf(RECOMMENDATIONS_ID)
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
 * The data of a part that may come late, from the element with this id. When the reader changes the list before the part
 * has come, React renders the part in the browser and no longer takes it over from the server. Its data still arrives with
 * the rest of the document, and is read as soon as it is whole: React then removes it.
 * @throws Error when the document has ended without it, because the server failed
 */
function arrivalOf<Data>(id: string): Promise<Data> {
  const data = readData<Data>(id)
  if (data !== undefined) return settled(data)
  if (document.readyState !== 'loading') throw missing(id)
  const { promise, resolve, reject } = Promise.withResolvers<Data>()
  const look = () => {
    const come = readData<Data>(id)
    if (come === undefined) return
    observer.disconnect()
    resolve(come)
  }
  const observer = new MutationObserver(look)
  observer.observe(document.documentElement, { childList: true, subtree: true, characterData: true })
  document.addEventListener('DOMContentLoaded', () => {
    look()
    observer.disconnect()
    reject(missing(id))
  })
  return promise
}

const missing = (id: string) => new Error(`the page has no #${id}`)

/** Undefined while the element is not there, or not yet whole. */
function readData<Data>(id: string): Data | undefined {
  const text = document.getElementById(id)?.textContent
  if (!text) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
