import { Readable } from 'node:stream'
import { RenderError } from './render-error.ts'
import type { PageRequest, Renderer, StreamedPage } from './renderer-types.ts'

/** Makes a page as a stream. @throws RenderError when there is no shell */
export function streamPage(renderer: Pick<Renderer, 'open'>, request: PageRequest): Promise<StreamedPage> {
  const shell = Promise.withResolvers<StreamedPage>()
  const all = Promise.withResolvers<void>()
  all.promise.catch(() => {})
  let unreadBytes = 0
  const takeCredit = () => {
    if (unreadBytes > 0) page.consumed(unreadBytes)
    unreadBytes = 0
  }
  const body = new Readable({
    // It is called when the bytes that were pushed before have been read.
    read: takeCredit,
    destroy(error, callback) {
      page.leave()
      if (!body.readableEnded) all.reject(error ?? new RenderError('CLIENT_GONE'))
      callback(error)
    },
  })
  const page = renderer.open(request, {
    start: head => shell.resolve({ ...head, body, allReady: all.promise }),
    chunk(chunk, isLast) {
      unreadBytes += chunk.length
      if (chunk.length > 0) body.push(chunk)
      if (!isLast) return
      body.push(null)
      all.resolve()
    },
    fail(error) {
      shell.reject(error)
      all.reject(error)
      if (body.listenerCount('error') > 0) body.destroy(error)
      else body.destroy()
    },
  })
  return shell.promise
}
