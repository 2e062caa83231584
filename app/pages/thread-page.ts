import type { LoadedPage, LoadRequest } from '../../render/app-module.ts'
import { type PageModule, type PageProps, streamOptions } from './page.ts'
import { noteProblem } from './page-notes.ts'
import type { ArrivingData } from './sources.ts'
import type { AppProps } from './view/app.tsx'

/** The module of the page for render threads. The main thread passes on the data, or the thread fetches it. */
export { default, react } from './page.ts'

/** The options of the threads. */
export interface ThreadPageOptions {
  /** URL of a `PageModule`. */
  readonly page: string
  /** The URL of a module that fetches, and the data that it needs. Absent if the main thread passes on the data. */
  readonly fetching: { readonly file: string; readonly data: unknown } | undefined
}

/** Begins to fetch the data of a page. */
export type FetchInThread = (request: LoadRequest, page: LoadedPage) => ArrivingData | undefined

let page: PageModule
let fetchData: FetchInThread | undefined

export async function setup(options: ThreadPageOptions): Promise<void> {
  page = await import(options.page)
  fetchData =
    options.fetching && (await (await import(options.fetching.file)).createFetch(options.fetching.data))
}

/** @throws what the page throws, after a note of it, because an error loses its code on its way to the main thread */
export async function load(request: LoadRequest, loaded: LoadedPage): Promise<AppProps> {
  Object.assign(loaded.options, streamOptions)
  try {
    const props = { ...request.props, ...fetchData?.(request, loaded) } as unknown as PageProps
    return await page.load(props, error => loaded.note(noteProblem('missing', error)))
  } catch (error) {
    loaded.note(noteProblem('failed', error))
    throw error
  }
}
