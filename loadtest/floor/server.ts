import { createServer, type RequestListener, type Server } from 'node:http'
import { serverLimits } from '../../app/limits.ts'
import type { Requester, WorkQueue } from '../../lib/main-thread/work-queue.ts'
import type { AnswerCall, TaskJob, TaskReply } from '../../workers/protocol.ts'
import type { Ready } from './ready.ts'

/** Answers that are ready, by their paths. */
type Answers = ReadonlyMap<string, Ready>

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

/** The same, but a thread of the app's pool makes each body, so that a request also costs a hop. */
export const createHopServer = (answers: Answers, queue: WorkQueue<TaskJob, TaskReply>): Server =>
  createBareServer(({ url }, response) => {
    const answer = answers.get(url as string)
    if (answer)
      queue
        .run(PATIENT, { answer: { input: [url], envelope: ENVELOPE } })
        .then(({ reply }) => response.writeHead(200, answer.head).end(bodyOf(reply)))
        .catch(error => response.destroy(error))
    else response.writeHead(404).end()
  })

function createBareServer(listener: RequestListener): Server {
  const { keepAliveTimeout, optimizeEmptyRequests } = serverLimits
  return createServer({ keepAliveTimeout, optimizeEmptyRequests }, listener)
}

/** A client that waits as long as it takes. */
const PATIENT: Requester = { deadline: Number.POSITIVE_INFINITY, gone: false, onGone() {} }
const ENVELOPE: AnswerCall['envelope'] = { requestId: '', traceparent: undefined, deadline: PATIENT.deadline }

function bodyOf(reply: TaskReply): string | Uint8Array {
  if (reply.kind === 'done' && reply.answer) return reply.answer.body
  throw new Error(`a thread made no answer: ${JSON.stringify(reply)}`)
}
