import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'
import { queryParser } from '../../lib/query.ts'
import { contentSecurityPolicy } from '../../lib/security-headers.ts'
import { JSON_TYPE } from '../concerns/serialization/contract.ts'
import type { ApiRoute, RouteAnswer } from '../route.ts'
import { renderHtml, STYLE } from './html.ts'
import { listLinks } from './links.ts'

const headers = { vary: 'accept' } as const

/** Allows the icon, and only this one style inside the page. */
const pagePolicy = contentSecurityPolicy({
  'style-src': `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src': "'self'",
})

/**
 * The front page, which leads on to the other routes: HTML for a client that prefers it, as browsers do, and JSON for
 * others. Both are made once.
 * @param liveUrl the live page; undefined if this composition has none
 */
export function createFrontPage(liveUrl: string | undefined): ApiRoute {
  const parse = queryParser({})
  const links = listLinks(liveUrl)
  const asJson: RouteAnswer = { contentType: JSON_TYPE, headers, body: JSON.stringify({ links }) }
  const asHtml: RouteAnswer = {
    contentType: 'text/html; charset=utf-8',
    headers: { ...headers, 'content-security-policy': pagePolicy },
    body: renderHtml(links),
  }
  return {
    path: '/',
    answer: 'FrontPage',
    parameters: {},
    handle(raw, _context, sent) {
      parse(raw)
      return prefersHtml(sent) ? asHtml : asJson
    },
  }
}

/** A client that accepts both equally, or neither, gets JSON. */
const prefersHtml = (headers: IncomingHttpHeaders): boolean =>
  new Negotiator({ headers }).mediaType(['application/json', 'text/html']) === 'text/html'
