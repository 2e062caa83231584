import type { IncomingMessage } from 'node:http'

/**
 * Whether a request must get 400 although Node.js accepts it: its request line has no version or one other than
 * HTTP/1.1 and 1.0, or it has two Host headers (RFC 9112, 3 and 3.2). Node.js uses the first Host header, but a proxy
 * in front of this server may have used the second.
 */
export const isMalformed = ({ httpVersionMajor, rawHeaders }: IncomingMessage): boolean =>
  httpVersionMajor !== 1 || hasTwoHosts(rawHeaders)

/** @param headers names and values in turns */
function hasTwoHosts(headers: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}
