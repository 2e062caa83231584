import { createContext, type ReactNode, use, useState } from 'react'
import type { PageQuery } from './query.ts'

/** Reads the choice of the user in the form, and shows it in the URL; undefined if it is not new. Only browsers have it. */
export type ReadForm = (form: HTMLFormElement, query: PageQuery) => PageQuery | undefined

interface Choice {
  /** What the page shows now. On the server it is the query of the request. */
  readonly query: PageQuery
  /** Shows what the user has chosen in the form. */
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
