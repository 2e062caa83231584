import { contentSecurityPolicy, PAGE_TYPE } from '../../lib/http/respond.ts'
import { DEFAULT_OTLP_URL } from '../../lib/telemetry/otel-environment.ts'
import { type Composition, isNeeded } from '../concerns.ts'
import type { AppConfig } from '../config.ts'
import { readAssets } from '../pages/assets.ts'
import { type Route, type RouteAnswer, route } from '../route.ts'

const TITLE = 'Decomposition of the Main Thread'

const pagePolicy = contentSecurityPolicy({ 'style-src': "'self'", 'img-src': "'self'" })

interface Link {
  readonly href: string
  readonly description: string
}

/** The front page, which leads on to the other routes. It is made once. */
export function createFrontPage({ liveUrl, otlpUrl }: AppConfig, composition: Composition): Route {
  const live = new URL('/', liveUrl ?? otlpUrl ?? DEFAULT_OTLP_URL).href
  const links: readonly Link[] = [
    { href: '/page', description: 'orders of a shop, rendered on the server' },
    ...(isNeeded('apm-agent', composition)
      ? [{ href: live, description: 'live: how busy the main thread is, and what a request costs' }]
      : []),
    { href: '/demo', description: 'the request that the load test measures' },
    { href: '/hello', description: 'a constant, which needs the framework only' },
  ]
  const headers = { 'content-security-policy': pagePolicy }
  const answer: RouteAnswer = { contentType: PAGE_TYPE, headers, body: renderHtml(links) }
  return route('/', { parameters: {}, handle: () => answer })
}

/** Links are ours and need no escaping. The style is that of `/page`. */
function renderHtml(links: readonly Link[]): string {
  const { icon, style } = readAssets()
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${TITLE}</title>
    <link rel="icon" href="${icon}">
    <link rel="stylesheet" href="${style}">
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
}
