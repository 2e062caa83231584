import { createContext, type ReactNode, use, useState } from 'react'
import type { Recommendation } from '../../../orders/order.ts'
import type { OrderView, PageQuery } from './data.ts'

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

/** Reads the choice of the user in the form, and shows it in the URL; undefined if it is not new. Only browsers have it. */
export type ReadForm = (form: HTMLFormElement, query: PageQuery) => PageQuery | undefined

interface Choice {
  /** What the page shows now. On the server it is the query of the request. */
  readonly query: PageQuery
  follow(form: HTMLFormElement): void
}

const ChoiceContext = createContext<Choice | undefined>(undefined)

interface ChoiceProviderProps {
  readonly query: PageQuery
  readonly readForm: ReadForm | undefined
  readonly children: ReactNode
}

/**
 * Keeps the choice of the user for all components below. Only those that use it are rendered again: `children` stay the
 * same, so a part that has not come yet is left alone.
 */
export function ChoiceProvider({ query, readForm, children }: ChoiceProviderProps) {
  const [chosen, choose] = useState(query)
  const follow = (form: HTMLFormElement) => {
    const next = readForm?.(form, chosen)
    if (next) choose(next)
  }
  return <ChoiceContext value={{ query: chosen, follow }}>{children}</ChoiceContext>
}

export function useChoice(): Choice {
  const choice = use(ChoiceContext)
  if (!choice) throw new Error('there is no ChoiceProvider above this component')
  return choice
}
