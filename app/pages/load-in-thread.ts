import type { LoadedPage } from '../../render/app-module.ts'
import { type PageModule, type PageProps, streamOptions } from './page.ts'
import { noteProblem } from './page-notes.ts'
import type { AppProps } from './view/app.tsx'

/**
 * Makes the props of a page in a render thread.
 * @throws what the page throws, after a note of it, because an error loses its code on its way to the main thread
 */
export async function loadInThread(
  page: PageModule,
  props: PageProps,
  loaded: LoadedPage,
): Promise<AppProps> {
  Object.assign(loaded.options, streamOptions)
  try {
    return await page.load(props, error => loaded.note(noteProblem('missing', error)))
  } catch (error) {
    loaded.note(noteProblem('failed', error))
    throw error
  }
}
