import { createServer, type Server } from 'node:http'
import { JSON_TYPE } from '../../app/concerns/serialization/contract.ts'
import { serverLimits } from '../../app/limits.ts'
import { securityHeaders } from '../../lib/security-headers.ts'
import { expectRequests } from '../generator/expected-requests.ts'
import { FIRST_SEED, type Scenario } from '../generator/scenarios.ts'

/** Head and body of an answer, ready to be sent. */
interface Ready {
  readonly head: string[]
  readonly body: string
}

/**
 * A server of node:http alone that sends the answers of a scenario, byte for byte, and does nothing else. All answers
 * are made before it listens; a request costs a look at its URL, `writeHead` and `end`.
 * @param scenario its answers must be JSON, because the headers of other types differ
 */
export function createFloorServer(scenario: Scenario): Server {
  const answers = new Map<string, Ready>()
  for (const { path, body } of expectRequests(scenario, FIRST_SEED))
    answers.set(path, { head: headOf(body), body })
  return createServer({ keepAliveTimeout: serverLimits.keepAliveTimeout }, (request, response) => {
    const answer = answers.get(request.url as string)
    if (answer) response.writeHead(200, answer.head).end(answer.body)
    else response.writeHead(404).end()
  })
}

/** The headers that the app gives an answer, as names and values in turn. */
const headOf = (body: string): string[] =>
  Object.entries({
    ...securityHeaders,
    'content-type': JSON_TYPE,
    'content-length': String(Buffer.byteLength(body)),
  }).flat()
