import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type PageFile, sendFile } from '../../../apm-agent/live/page-files.ts'
import { guard } from '../../../lib/http/guard.ts'
import { splitUrl } from '../../../lib/http/query.ts'
import { refuse, respond } from '../../../lib/http/respond.ts'
import type { Greeting, Now } from './protocol.ts'

/** Requests a second. A full room shares one address when it is behind a router, so addresses are not told apart. */
const MOST = { greetings: 50, others: 500 }
const MAX_CONNECTIONS = 1000
const LIMITS = { headersTimeout: 5000, requestTimeout: 5000, keepAliveTimeout: 10_000 }

interface AudienceServerOptions {
  readonly page: ReadonlyMap<string, PageFile>
  now(): Now
  /** Asks the app for `/hello`. @returns how long it took, in milliseconds; null when it does not answer */
  ask(): Promise<number | null>
}

/**
 * The HTTP server for the audience, on the local network. It knows no token, reads no body, and passes nothing of a
 * request on, so that nobody in the room can reach the stage, the app or its admin server.
 *
 *   GET /        the page of the audience; its files are in /assets
 *   GET /now     the step that serves
 *   GET /hello   asks the app, and says how long that took
 */
export function createAudienceServer({ page, now, ask }: AudienceServerOptions): Server {
  const allows = { greetings: limitBySecond(MOST.greetings), others: limitBySecond(MOST.others) }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const [path] = splitUrl(request.url as string)
    if (!allows[path === '/hello' ? 'greetings' : 'others']()) {
      response.setHeader('retry-after', '1')
      return refuse(response, 429, 'TOO_MANY_REQUESTS', 'too many ask at once; ask again in a second')
    }
    const file = page.get(path)
    if (request.method !== 'GET') return refuse(response, 405, 'METHOD_NOT_ALLOWED', 'this page only reads')
    if (file) return sendFile(response, file)
    if (path === '/now') return sendJson(response, now())
    if (path !== '/hello') return refuse(response, 404, 'NOT_FOUND', 'there is only /, /now and /hello')
    const appMs = await ask()
    if (appMs === null) refuse(response, 503, 'APP_UNAVAILABLE', 'the app has not answered; ask again')
    else sendJson(response, { step: now().step, appMs } satisfies Greeting)
  }
  const server = createServer(LIMITS, guard([], answer))
  server.maxConnections = MAX_CONNECTIONS
  return server
}

/** @returns a function that tells whether one more request may pass in this second, by a clock that does not go back */
export function limitBySecond(most: number): (nowMs?: number) => boolean {
  let [second, count] = [Number.NaN, 0]
  return (nowMs = performance.now()) => {
    if (Math.floor(nowMs / 1000) !== second) [second, count] = [Math.floor(nowMs / 1000), 0]
    return ++count <= most
  }
}

function sendJson(response: ServerResponse, body: object): void {
  response.setHeader('cache-control', 'no-store')
  respond(response, 200, 'application/json', JSON.stringify(body))
}
