import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'
import { contentSecurityPolicy, PAGE_TYPE } from '../../../lib/http/respond.ts'
import { JSON_TYPE } from '../../concerns/serialization/contract.ts'
import { type ApiRoute, type RouteAnswer, route } from '../../route.ts'
import { renderHtml, STYLE } from './html.ts'
import { listLinks } from './links.ts'

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
          items: { type: 'object', properties: { href: text, title: text, description: text } },
        },
      },
    },
    'text/html': text,
  },
} as const

/**
 * The front page, which leads on to the other routes: HTML for a client that prefers it, as browsers do, and JSON for
 * others. Both are made once.
 * @param liveUrl the live page; undefined if this composition has none
 */
export function createFrontPage(liveUrl: string | undefined): ApiRoute {
  const links = listLinks(liveUrl)
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

/** A client that accepts both equally, or neither, gets JSON. */
const prefersHtml = (headers: IncomingHttpHeaders): boolean =>
  new Negotiator({ headers }).mediaType(['application/json', 'text/html']) === 'text/html'
