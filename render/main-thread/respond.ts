import { isBodiless } from '../page-head.ts'
import type { PageHead, PageRequest, PageThreads } from './renderer-types.ts'
import { readWebBody } from './request-body.ts'

/** Answers a web request. @throws RenderError when there is no shell */
export async function respondTo(
  renderer: Pick<PageThreads, 'open'>,
  request: Request,
  page: Partial<PageRequest>,
  bodyLimitBytes: number,
): Promise<Response> {
  const sent = page.body ?? (await readWebBody(request, bodyLimitBytes))
  const { protocol, host, pathname, search } = new URL(request.url)
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  let unreadBytes = 0
  let controller: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
    },
    pull() {
      if (unreadBytes > 0) open.consumed(unreadBytes)
      unreadBytes = 0
    },
    cancel: () => open.leave(),
  })
  const open = renderer.open(
    {
      url: pathname + search,
      method: request.method,
      rawHeaders: [':scheme', protocol.slice(0, -1), ':authority', host, ...[...request.headers].flat()],
      signal: request.signal,
      ...page,
      body: sent,
    },
    {
      start(head) {
        const hasBody = request.method !== 'HEAD' && !isBodiless(head.status)
        resolve(new Response(hasBody ? body : null, { status: head.status, headers: headersOf(head) }))
        if (!hasBody) open.leave()
      },
      chunk(chunk, isLast) {
        unreadBytes += chunk.length
        if (chunk.length > 0) controller.enqueue(chunk)
        if (isLast) controller.close()
      },
      fail(error) {
        reject(error)
        controller.error(error)
      },
    },
  )
  return promise
}

const headersOf = ({ headers }: PageHead): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  )
