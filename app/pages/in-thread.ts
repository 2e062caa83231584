import type { LoadedPage, LoadRequest } from '../../render/app-module.ts'
import { describeCause, Problem, type ProblemCode, toProblem } from '../problems.ts'
import { load as loadPage, type PageProps } from './page.ts'
import type { PageRequest } from './page-data.ts'

/** The module of the page for render threads. */
export { default, options, react } from './page.ts'

/** How the main thread uses such a module. */
export interface ThreadPage {
  module: URL
  readonly moduleOptions?: unknown
  /** Begins to fetch, and makes the props that are sent. @throws Problem when there will be no orders */
  open(request: PageRequest): Promise<OpenPage> | OpenPage
}

/** `onOver` is called when the page needs no more data. */
type OpenPage = { readonly props: object; onNote(note: unknown): unknown; onOver?(): void }

/** The data that have come, or promises of them; null if none will come, and the main thread knows why. */
export interface SentPage extends Omit<PageProps, 'data'> {
  readonly orders: Promise<Uint8Array> | Uint8Array
  readonly recommendations: Promise<Uint8Array | null> | Uint8Array | null
}

const nothing = new Error('nothing will come')

export function load({ props }: Pick<LoadRequest, 'props'>, page: Pick<LoadedPage, 'note'>) {
  const { orders, recommendations, ...given } = props as unknown as SentPage
  const arriving = Promise.resolve(recommendations).then(bytes => bytes ?? Promise.reject(nothing))
  return loadPage(
    { ...given, data: { orders: Promise.resolve(orders), recommendations: arriving } },
    error => {
      const problem = toProblem(error)
      if (error !== nothing) page.note({ code: problem.code, cause: describeCause(problem) })
    },
  )
}

/** Why there are no recommendations, of the note of a thread. */
export function problemOfNote(note: unknown): Problem {
  const { code, cause } = note as { readonly code: ProblemCode; readonly cause: unknown }
  return new Problem(code, undefined, cause)
}
