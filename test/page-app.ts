import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { Apm } from '../app/concerns/apm/contract.ts'
import { createOrdersClient } from '../app/concerns/upstream/orders-client.ts'
import { type Implementation, implementations } from '../app/concerns.ts'
import { requestContext } from '../app/context.ts'
import { createPageHandler } from '../app/pages/page-handler.ts'
import { createRoutes } from '../app/routes.ts'
import { manageConnections } from '../app/server/http-rules.ts'
import { PageHooks } from '../app/server/page-hooks.ts'
import { lastStep } from '../app/steps.ts'
import { type Closing, patience, startOnce } from '../app/test-options.fixture.ts'
import { listen } from '../lib/http/listen.ts'
import { type LogFields, loggerOf } from '../lib/telemetry/logger.ts'
import { mediaTypes } from '../orders/order.ts'
import { createOrdersServer } from '../orders/server.ts'
import { createCalmService, createNoApm } from './calm-service.ts'

/** A thread that makes no progress for half of this time is replaced. */
const STUCK_PART_MS = 4000

/** Decides when and how the upstream answers a path: with these bytes, this status, or, if undefined, as usual. */
export type Upstream = (path: string) => Promise<Buffer | number | undefined>

const asUsual: Upstream = async () => undefined

interface PageAppOptions {
  readonly upstream?: Upstream
  readonly rendering?: Implementation<'rendering'>
  /** Who fetches the data of the page; by default as at the last step. */
  readonly fetching?: Implementation<'upstream'>
  readonly pageMemoryMib?: number
  /** Time limit of a part. By default it is longer than a test. */
  readonly partTimeoutMs?: number
}

/** Starts `/page` with everything it needs, the test's upstream, and pages that misbehave on demand. */
export async function startPageApp(t: Closing, options: PageAppOptions = {}) {
  const { upstream = asUsual, rendering: name = 'threads', pageMemoryMib = 64 } = options
  const { fetching = lastStep.composition.upstream } = options
  const { ordersTimeoutMs, partTimeoutMs } = { ...patience, ...options }
  const orders = createOrdersServer({})
  const upstreamServer = createServer(async (request, response) => {
    const answer = await upstream(request.url as string)
    if (answer === undefined) orders.emit('request', request, response)
    else if (typeof answer === 'number') response.writeHead(answer).end()
    else response.end(answer)
  })
  const ordersUrl = await listen(upstreamServer, '127.0.0.1', 0)
  const logged: Record<string, unknown>[] = []
  const log = (message: string, fields?: LogFields) => {
    logged.push({ message, requestId: requestContext.getStore()?.requestId, ...fields })
  }
  const logger = loggerOf(() => log)
  const watched: Parameters<Apm['watch']>[0][] = []
  const apm = { ...(await createNoApm()), watch: watched.push.bind(watched) }
  const { createHttpServer } = await implementations.framework[lastStep.composition.framework]()
  const { createUpstream } = await implementations.upstream[fetching]()
  const clientOptions = { url: ordersUrl, timeoutMs: ordersTimeoutMs, accept: mediaTypes.protobuf }
  const client = createOrdersClient(clientOptions)
  const notAsked = {} as never
  const upstreamOfApp = await createUpstream({
    client,
    clientOptions,
    apm,
    logger,
    logging: { sink: {} } as never,
    serialization: notAsked,
    serializationFile: '',
    compute: notAsked,
  })
  const { createRendering } = await implementations.rendering[name]()
  const rendering = await createRendering({
    threads: 1,
    workerPriority: 0,
    workerMemoryMib: 128,
    taskTimeoutMs: 60_000,
    ...upstreamOfApp,
    ...{ faults: true },
    page: await import('../app/pages/page.faulty.ts'),
    upstreamType: mediaTypes.protobuf,
    partTimeoutMs: STUCK_PART_MS,
  })
  const page = createPageHandler({
    rendering,
    logger,
    apm,
    partTimeoutMs,
    hooks: new PageHooks(apm, { pageMemoryMib }),
  })
  const routes = createRoutes({
    page,
    compute: notAsked,
    upstream: upstreamOfApp,
  })
  const service = await createCalmService({ routes, apm, logger })
  const server = await createHttpServer(service)
  manageConnections(server)
  const url = await listen(server, '127.0.0.1', 0)
  t.after(async () => {
    server.close()
    server.closeAllConnections()
    upstreamServer.close()
    upstreamServer.closeAllConnections()
    await Promise.all([rendering.close(), client.close()])
  })
  const readPoints = async () => (await Promise.all(watched.map(read => read()))).flat()
  return {
    url,
    logged,
    rendering,
    service,
    upstreamServer,
    readPoints,
    /** Number of bytes held for slow clients. */
    readHeldBytes: async () =>
      (await readPoints()).find(({ metric }) => metric === 'app.page.memory')?.value ?? -1,
    /** Resolves with the response when its head has come. */
    async ask(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
      const [response] = await once(get(url + path, { headers, agent: false }), 'response')
      return response
    },
  }
}

/**
 * Starts one app for all tests of a suite.
 * @returns a function that a test calls first: it decides how the upstream answers, and gets the app, whose log is empty
 */
export function sharePageApp(options: Omit<PageAppOptions, 'upstream'>) {
  let answer = asUsual
  const started = startOnce(suite => startPageApp(suite, { ...options, upstream: path => answer(path) }))
  return (upstream = asUsual) => {
    answer = upstream
    const app = started()
    app.logged.length = 0
    return app
  }
}

/** Reads until `mark` has come. @returns everything up to then */
export async function readUntil(response: AsyncIterator<Buffer>, mark: string): Promise<string> {
  const chunks: Buffer[] = []
  for (;;) {
    const { value, done } = await response.next()
    if (done) throw new Error(`the answer ended without ${mark}`)
    chunks.push(value)
    const received = String(Buffer.concat(chunks))
    if (received.includes(mark)) return received
  }
}
