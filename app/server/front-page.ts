import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'
import { contentSecurityPolicy, PAGE_TYPE } from '../../lib/http/respond.ts'
import { DEFAULT_OTLP_URL } from '../../lib/telemetry/otel-environment.ts'
import { JSON_TYPE } from '../concerns/serialization/contract.ts'
import { type Composition, isNeeded } from '../concerns.ts'
import type { AppConfig } from '../config.ts'
import { readAssets } from '../pages/assets.ts'
import { type ApiRoute, type RouteAnswer, route } from '../route.ts'

const TITLE = 'Decomposition of the Main Thread'

const STYLE = `
      :root { color-scheme: light dark; background: Canvas; font: 1.1rem / 1.5 system-ui, sans-serif; }
      body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
      h1 { line-height: 1.1; }
      li { margin: 0.75rem 0; }
    `

const headers = { vary: 'accept' } as const

/** Allows the icon, and only this one style inside the page. */
const pagePolicy = contentSecurityPolicy({
  'style-src': `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src': "'self'",
})

const text = { type: 'string' } as const

const answer = {
  summary: 'Links to the other routes, as JSON, or as a page for browsers',
  content: {
    'application/json': {
      type: 'object',
      properties: {
        links: {
          type: 'array',
          items: { type: 'object', properties: { href: text, description: text } },
        },
      },
    },
    'text/html': text,
  },
} as const

interface Link {
  readonly href: string
  readonly description: string
}

/**
 * The front page, which leads on to the other routes: HTML for a client that prefers it, as browsers do, and JSON for
 * others. Both are made once.
 */
export function createFrontPage({ liveUrl, otlpUrl }: AppConfig, composition: Composition): ApiRoute {
  const live = new URL('/', liveUrl ?? otlpUrl ?? DEFAULT_OTLP_URL).href
  const links: readonly Link[] = [
    { href: '/page', description: 'orders of a shop, rendered on the server' },
    ...(isNeeded('apm-agent', composition)
      ? [{ href: live, description: 'live: how busy the main thread is, and what a request costs' }]
      : []),
    { href: '/demo', description: 'the request that the load test measures' },
    { href: '/hello', description: 'a constant, which needs the framework only' },
    { href: '/openapi.json', description: 'all routes, as OpenAPI 3.1' },
  ]
  const asJson: RouteAnswer = { contentType: JSON_TYPE, headers, body: JSON.stringify({ links }) }
  const asHtml: RouteAnswer = {
    contentType: PAGE_TYPE,
    headers: { ...headers, 'content-security-policy': pagePolicy },
    body: renderHtml(links),
  }
  return route('/', {
    answer,
    parameters: {},
    handle: (_query, _context, sent) => (prefersHtml(sent) ? asHtml : asJson),
  })
}

/** Links are ours and need no escaping. */
const renderHtml = (links: readonly Link[]): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${TITLE}</title>
    <link rel="icon" href="${readAssets().icon}">
    <style>${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>${TITLE}</h1>
      <p>One Node.js service in several states. Each moves one more concern off the main thread.</p>
      <ul>
        ${links.map(({ href, description }) => `<li><a href="${href}">${href}</a>: ${description}</li>`).join('\n        ')}
      </ul>
    </main>
  </body>
</html>
`

/** A client that accepts both equally, or neither, gets JSON. */
const prefersHtml = (headers: IncomingHttpHeaders): boolean =>
  new Negotiator({ headers }).mediaType(['application/json', 'text/html']) === 'text/html'
