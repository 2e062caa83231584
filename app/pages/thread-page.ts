import type { LoadedPage, LoadRequest } from '../../render/app-module.ts'
import { loadInThread } from './load-in-thread.ts'
import type { PageModule, PageProps } from './page.ts'

/** The module of the page for render threads to which the main thread passes on the data. */
export { default, react } from './page.ts'

/** The options of the threads. */
export interface ThreadPageOptions {
  /** URL of a `PageModule`. */
  readonly page: string
}

let page: PageModule

export async function setup(options: ThreadPageOptions): Promise<void> {
  page = await import(options.page)
}

export const load = ({ props }: LoadRequest, loaded: LoadedPage) =>
  loadInThread(page, props as unknown as PageProps, loaded)
