import { createServer, type Server } from 'node:http'
import { PAGE_HEADERS, PAGE_TYPE } from '../../app/concerns/rendering/page-handler.ts'
import { JSON_TYPE } from '../../app/concerns/serialization/contract.ts'
import { serverLimits } from '../../app/limits.ts'
import { securityHeaders } from '../../lib/security-headers.ts'
import { expectRequests } from '../generator/expected-requests.ts'
import { FIRST_SEED, type Scenario } from '../generator/scenarios.ts'

/** Head and body of an answer, ready to be sent. */
interface Ready {
  readonly head: string[]
  readonly body: string | Buffer
}

/**
 * A server of node:http alone that sends the answers of a scenario, byte for byte, and does nothing else. All answers
 * are made before it listens; a request costs a look at its URL, `writeHead` and `end`.
 * @param ready makes an answer of its body: JSON or, with `readyPage`, a page
 */
export function createFloorServer(scenario: Scenario, ready: (body: string) => Ready = readyJson): Server {
  const answers = new Map<string, Ready>()
  for (const { path, body } of expectRequests(scenario, FIRST_SEED)) answers.set(path, ready(body))
  const { keepAliveTimeout, optimizeEmptyRequests } = serverLimits
  return createServer({ keepAliveTimeout, optimizeEmptyRequests }, (request, response) => {
    const answer = answers.get(request.url as string)
    if (answer) response.writeHead(200, answer.head).end(answer.body)
    else response.writeHead(404).end()
  })
}

const readyJson = (body: string): Ready => ({ head: headOf(JSON_TYPE, body), body })

/** A page for a client that takes it uncompressed, in bytes, as the app sends it. */
export const readyPage = (body: string): Ready => ({
  head: headOf(PAGE_TYPE, body, PAGE_HEADERS),
  body: Buffer.from(body),
})

/** The headers that the app gives an answer, as names and values in turn. */
const headOf = (type: string, body: string, headers: Readonly<Record<string, string>> = {}): string[] =>
  Object.entries({
    ...securityHeaders,
    'content-type': type,
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
  }).flat()
