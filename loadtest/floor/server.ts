import { createServer, type RequestListener, type Server } from 'node:http'
import { serverLimits } from '../../app/concerns/framework/contract.ts'
import { JSON_TYPE } from '../../app/concerns/serialization/contract.ts'
import { pageHeaders } from '../../app/pages/page-handler.ts'
import { PAGE_TYPE, securityHeaders } from '../../lib/http/respond.ts'
import { patient } from '../../lib/main-thread/job.ts'
import { NONCE } from '../generator/expected-page.ts'
import { expectRequests } from '../generator/expected-requests.ts'
import { FIRST_SEED, type Scenario } from '../generator/scenarios.ts'
import type { Hop } from './hop.ts'

/** Head and body of an answer, ready to be sent. The head has names and values in turn. */
export interface ReadyAnswer {
  readonly head: string[]
  readonly body: string | Buffer
}

/**
 * Makes all answers of a scenario, by path.
 * @param ready makes an answer of its body: JSON or, with `readyPage`, a page
 */
export const makeAnswers = (scenario: Scenario, ready = readyJson): ReadonlyMap<string, ReadyAnswer> =>
  new Map([...expectRequests(scenario, FIRST_SEED)].map(({ path, body }) => [path, ready(body)]))

const readyJson = (body: string): ReadyAnswer => ({ head: headOf(JSON_TYPE, body), body })

/** A page for a client that takes it uncompressed, in bytes, as the app sends it. */
export const readyPage = (body: string): ReadyAnswer => ({
  head: headOf(PAGE_TYPE, body, pageHeaders(NONCE)),
  body: Buffer.from(body),
})

/** The headers that the app gives an answer. */
const headOf = (type: string, body: string, headers: Readonly<Record<string, string>> = {}): string[] =>
  Object.entries({
    ...securityHeaders,
    'content-type': type,
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
  }).flat()

/** Answers that are ready, by their paths. */
type Answers = ReadonlyMap<string, ReadyAnswer>

/**
 * A server of node:http alone that sends ready answers, and does nothing else: a request costs a look at its URL,
 * `writeHead` and `end`.
 */
export const createFloorServer = (answers: Answers): Server =>
  createBareServer(({ url }, response) => {
    const answer = answers.get(url as string)
    if (answer) response.writeHead(200, answer.head).end(answer.body)
    else response.writeHead(404).end()
  })

/** The same, but a thread makes each body, so that a request also costs a hop. */
export const createHopServer = (answers: Answers, queue: Hop['queue']): Server =>
  createBareServer(({ url }, response) => {
    const answer = answers.get(url as string)
    if (answer)
      queue
        .run(patient, url as string)
        .then(({ reply }) => response.writeHead(200, answer.head).end(reply))
        .catch(error => response.destroy(error))
    else response.writeHead(404).end()
  })

function createBareServer(listener: RequestListener): Server {
  const { keepAliveTimeout, optimizeEmptyRequests } = serverLimits
  return createServer({ keepAliveTimeout, optimizeEmptyRequests }, listener)
}
