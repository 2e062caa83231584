import { Readable } from 'node:stream'
import { isBodiless } from '../headers.ts'
import { streamPage } from './page-body.ts'
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
  const { body, ...head } = await streamPage(renderer, {
    url: pathname + search,
    method: request.method,
    rawHeaders: [':scheme', protocol.slice(0, -1), ':authority', host, ...[...request.headers].flat()],
    signal: request.signal,
    ...page,
    body: sent,
  })
  const hasBody = request.method !== 'HEAD' && !isBodiless(head.status)
  if (!hasBody) body.destroy()
  // The body itself holds what its client has not read yet.
  const answer = hasBody ? (Readable.toWeb(body, { strategy: { highWaterMark: 0 } }) as ReadableStream) : null
  return new Response(answer, { status: head.status, headers: headersOf(head) })
}

const headersOf = ({ headers }: PageHead): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  )
