import type { MediaType } from '../../orders/order.ts'
import { loadBundle, readAssets } from './assets.ts'
import { openContent } from './content.ts'
import { noteProblem, type PageNote } from './missing-parts.ts'
import type { ArrivingData } from './sources.ts'
import type { AppProps } from './view/app.tsx'
import type { PageQuery } from './view/data.ts'

/** What `load` makes the props of the component from. */
export interface PageProps extends ArrivingData {
  readonly query: PageQuery
  /** The media type of the data. */
  readonly type: MediaType
  /** Milliseconds by the monotonic clock. */
  readonly deadline: number
}

const { App, react } = await loadBundle()
export const assets = readAssets()

/** The component of the page, and the React that renders it. */
// biome-ignore lint/style/noDefaultExport: React's way to name the component of a module
export { App as default, react }

/**
 * A part that is ready is sent in its place, however large it is, so that it is shown where no script runs. By default,
 * React sends parts of more than 12 KB after the others, and a script moves them to their places.
 */
export const options = {
  bootstrapModules: [assets.script],
  progressiveChunkSize: Number.POSITIVE_INFINITY,
}

/** Gets the notes of a page while its props are made. */
export interface PageNotes {
  note(missing: PageNote): unknown
}

/**
 * Makes the props of the page, once its orders are there. It notes when there are no recommendations.
 * @throws Problem when there are no orders
 */
export async function load({ props }: { readonly props: PageProps }, page: PageNotes): Promise<AppProps> {
  const { query, type, deadline, ...data } = props
  const onMissing = (error: unknown) => page.note(noteProblem('recommendations', error))
  return { query, assets, content: await openContent({ query, type, deadline, data, onMissing }) }
}

/** A file with the exports of this one. */
export type PageModule = typeof import('./page.ts')
