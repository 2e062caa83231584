import { createContext, use } from 'react'
import type { Recommendation } from '../../../orders/order.ts'
import type { OrderView } from './orders-view.ts'

/** The data that a page shows. On the server it comes from upstream, in the browser from the page itself. */
export interface PageContent {
  readonly orders: Promise<readonly OrderView[]>
  /** Null if there are none to show, because upstream failed or was late. */
  readonly recommendations: Promise<readonly Recommendation[] | null>
}

const never = new Promise<never>(() => {})
export const ContentContext = createContext<PageContent>({ orders: never, recommendations: never })

export const useOrders = () => use(use(ContentContext).orders)
export const useRecommendations = () => use(use(ContentContext).recommendations)

/**
 * Data for the browser, as a script that does not run. No text can end its element. In the browser React leaves it as it
 * is, so nothing is written there.
 */
export const Embedded = ({ id, data }: { id: string; data: unknown }) => (
  <script
    type="application/json"
    id={id}
    suppressHydrationWarning
    // biome-ignore lint/security/noDangerouslySetInnerHtml: no text can end the element
    dangerouslySetInnerHTML={{ __html: 'document' in globalThis ? '' : textOf(data) }}
  />
)

const textOf = (data: unknown): string => JSON.stringify(data).replaceAll('<', '\\u003c')
