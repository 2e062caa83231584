import type { IncomingMessage, RequestListener, Server } from 'node:http'
import { isIP } from 'node:net'
import { names } from '../cli/options.ts'
import { createComplaint } from '../cli/terminal.ts'
import { isMalformed, refuse, securityHeaders } from './respond.ts'

export const allowedHostsOption = names({
  default: '',
  help: 'host names that are accepted, besides localhost and IP addresses',
})

const HEADERS = new Map(Object.entries(securityHeaders))
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
const OWN_SITE = new Set(['same-origin', 'none'])

/**
 * Guards a server for operators, which every browser on this machine can reach. These requests do not reach its listener:
 *
 *   two Host headers, or no version of HTTP                               400, and the connection is closed
 *   a name of another site that resolves to this machine (DNS rebinding)   421
 *   a request that changes something, sent by a page of another site       403
 *   an error thrown by the listener, which is a bug                        500, with a stack on stderr
 *
 * @param server its listener may be asynchronous
 * @param allowedHosts accepted host names, besides `localhost` and any IP address
 */
export function guardServer(server: Server, allowedHosts: readonly string[] = []): void {
  const [listener] = server.listeners('request') as [RequestListener]
  const complain = createComplaint()
  server.off('request', listener).on('request', async (request, response) => {
    response.setHeaders(HEADERS)
    if (isMalformed(request)) {
      response.setHeader('connection', 'close')
      return refuse(response, 400, 'MALFORMED_REQUEST', 'the request is not valid HTTP/1.1')
    }
    if (!isAllowedHost(request.headers.host, allowedHosts))
      return refuse(response, 421, 'MISDIRECTED_REQUEST', 'nothing is served under this host name')
    if (isOfAnotherSite(request))
      return refuse(response, 403, 'CROSS_SITE', 'a page from another site must not change anything here')
    try {
      await listener(request, response)
    } catch (error) {
      complain(...String(error instanceof Error ? error.stack : error).split('\n'))
      if (response.headersSent) response.destroy()
      else refuse(response, 500, 'INTERNAL_ERROR', 'the service failed; its stderr has the reason')
    }
  })
}

function isAllowedHost(authority: string | undefined, allowed: readonly string[]): boolean {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([^:]*))(?::\d+)?$/.exec(authority ?? '') ?? []
  if (bracketed) return isIP(bracketed) === 6
  const name = plain?.toLowerCase() ?? ''
  return isIP(name) === 4 || name === 'localhost' || name.endsWith('.localhost') || allowed.includes(name)
}

/**
 * Decides by headers that browsers set and pages cannot change. A request without them does not come from a browser.
 */
function isOfAnotherSite({ method, headers }: IncomingMessage): boolean {
  if (SAFE_METHODS.has(method as string)) return false
  const site = headers['sec-fetch-site']
  if (typeof site === 'string') return !OWN_SITE.has(site)
  const { origin, host } = headers
  return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host)
}
