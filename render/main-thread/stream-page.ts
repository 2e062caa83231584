import { PageBody } from './page-body.ts'
import { RenderError } from './render-error.ts'
import type { PageRequest, PageThreads, StreamedPage } from './renderer-types.ts'

/** Makes a page as a stream. @throws RenderError when there is no shell */
export function streamPage(renderer: Pick<PageThreads, 'open'>, request: PageRequest): Promise<StreamedPage> {
  const shell = Promise.withResolvers<StreamedPage>()
  const all = Promise.withResolvers<void>()
  all.promise.catch(() => {})
  let body: PageBody | undefined
  const page = renderer.open(request, {
    start(head) {
      const begun = new PageBody(page)
      begun.once('close', () => {
        page.leave()
        if (!begun.readableEnded) all.reject(begun.errored ?? new RenderError('CLIENT_GONE'))
      })
      body = begun
      shell.resolve({ ...head, body, allReady: all.promise })
    },
    chunk(chunk, isLast) {
      body?.add(chunk, isLast)
      if (isLast) all.resolve()
    },
    fail(error) {
      shell.reject(error)
      all.reject(error)
      body?.cut(error)
    },
  })
  return shell.promise
}
