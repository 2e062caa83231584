import type { IncomingMessage } from 'node:http'

/**
 * Whether a request is to be answered with 400 although Node.js takes it: one without a version in its request line, or of
 * another than HTTP/1.1 and 1.0, and one with two Host headers (RFC 9112, 3 and 3.2). Of those Node.js keeps the first,
 * while what stands before this server may have gone by the second.
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
