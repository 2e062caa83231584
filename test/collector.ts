import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { listen } from '../lib/http/listen.ts'

export interface ReceivedBody {
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly atMs: number
}

interface CollectorOptions {
  /** Whether answers wait until `release` is called. */
  readonly held?: boolean
  /** Headers of its answers. */
  readonly headers?: OutgoingHttpHeaders
  /** Body of its answers. */
  readonly answer?: Buffer
  /** Called with each body before it is answered. */
  onBody?(received: ReceivedBody): void
}

/**
 * Starts a collector that keeps the bodies it gets. It answers with these statuses in turn, and repeats the last one
 * for ever.
 */
export async function startCollector(
  t: Pick<TestContext, 'after'>,
  statuses: readonly number[],
  { held = false, headers = {}, answer, onBody }: CollectorOptions = {},
) {
  const received: ReceivedBody[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  if (!held) release()
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => undefined)
    // The sender gave up.
    if (!body) return
    const got = { path: request.url, headers: request.headers, body, atMs: performance.now() }
    received.push(got)
    const status = statuses[Math.min(received.length, statuses.length) - 1] as number
    onBody?.(got)
    server.emit('asked')
    await released
    response.writeHead(status, headers).end(answer)
  })
  const url = await listen(server, '127.0.0.1', 0)
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return {
    url,
    received,
    release,
    /** Resolves once the collector has got this number of requests. */
    async asked(times = 1) {
      while (received.length < times) await once(server, 'asked')
    },
  }
}
