import * as page from '../../app/pages/page.ts'
import { RECOMMENDATIONS } from '../../app/pages/page-data.ts'
import { settled, viewOrders } from '../../app/pages/view/data.ts'
import { renderWholePage } from '../../app/pages/whole-page.ts'
import { applyChunks } from '../../lib/apply-chunks.ts'
import { selectOrders, selectRecommendations } from '../../orders/catalogue.ts'

const ORDERS = 200
/** Stands for the nonce of an answer. */
const NONCE = '01234567-89ab-cdef-0123-456789abcdef'

const pages = new Map<number, string>()

/** The right page for a seed. Every call returns the same string, because pages are large. */
export function expectedPage(seed: number): string {
  const page = pages.get(seed) ?? renderPage(seed)
  pages.set(seed, page)
  return page
}

/** The page is rendered here from plain data, so that no thread and no stream can mix it up. */
function renderPage(seed: number): string {
  const query = { seed, orders: ORDERS, search: '', status: '', sort: 'placed' } as const
  const content = {
    orders: settled(viewOrders(selectOrders(ORDERS, 'mixed', seed), query)),
    recommendations: settled(selectRecommendations(RECOMMENDATIONS, seed)),
  }
  return renderWholePage(page, { query, assets: page.assets, content }, NONCE)
}

/** Whether a page that was received is the right one, apart from its nonce, once all its chunks are applied. */
export const isRightPage = (received: string, right: string): boolean =>
  (received.length === right.length && withoutNonce(received) === right) ||
  withoutNonce(received, applyChunks) === right

const nonceAt = expectedPage(1).indexOf(NONCE)
/** The name of the client's bundle. Its hash depends on the place of the checkout that was built, too. */
const client = /client-\w{8}/.exec(expectedPage(1)) ?? { 0: '', index: 0 }

/** A page with the nonce and the bundle's name of expected pages. The head of all pages is the same, so both have their place. */
export function withoutNonce(page: string, change = (page: string, _nonce: string) => page): string {
  const nonce = page.slice(nonceAt, nonceAt + NONCE.length)
  const bundle = page.slice(client.index, client.index + client[0].length)
  const changed = change(page, nonce).replaceAll(nonce, NONCE)
  return bundle === client[0] ? changed : changed.replaceAll(bundle, client[0])
}
