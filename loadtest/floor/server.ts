import { createServer, type RequestListener, type Server } from 'node:http'
import { serverLimits } from '../../app/server/limits.ts'
import { patient } from '../../lib/main-thread/caller.ts'
import type { Hop } from './hop.ts'
import type { ReadyAnswer } from './ready-answers.ts'

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
