import type { IncomingMessage, ServerResponse } from 'node:http'

/** Whether a browser goes to a page: it then names HTML first and without a `q`, unlike scripts and other clients. */
export const isNavigation = ({ headers }: IncomingMessage): boolean =>
  /^text\/html(,|$)/.test(headers.accept ?? '')

/** A page for a path that does not exist. @param detail plain text that does not come from the request */
export const notFoundPage = (detail: string): string => `<!doctype html>
<html lang="en">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not found</title>
<main>
<h1>There is nothing at this address</h1>
<p>${detail[0]?.toUpperCase()}${detail.slice(1)}.</p>
</main>
</html>
`

/**
 * Sends a page to somebody who has mistyped a path in a browser.
 * @returns false for any other client
 */
export function showLost(response: ServerResponse, detail: string): boolean {
  if (!isNavigation(response.req)) return false
  const body = notFoundPage(detail)
  const headers = {
    vary: 'accept',
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  }
  response.writeHead(404, headers).end(body)
  return true
}
