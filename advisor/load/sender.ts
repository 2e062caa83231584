import { createHash } from 'node:crypto'
import * as http from 'node:http'
import * as https from 'node:https'
import type { Request } from './requests.ts'

/** An answer that takes longer counts as an error. */
const ANSWER_LIMIT_MS = 30_000

export interface Answer {
  /** The status, or the code of the error that came in the place of an answer. */
  readonly status: number | string
  readonly digest: string
}

export type Sender = ReturnType<typeof createSender>

/**
 * One connection, opened when it is needed and again when it has broken. It sends one request at a time. A service that is tried
 * out often has a certificate of its own making, so certificates are not checked.
 * @param origin such as `https://127.0.0.1:3000`
 */
export function createSender(origin: string) {
  const { request: open, Agent } = origin.startsWith('https:') ? https : http
  const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
  let isClosed = false
  const send = (request: Request): Promise<Answer> =>
    new Promise<Answer>(resolve => {
      const { method, path, headers, body } = request
      // Node.js sends a body of unknown length in chunks, and some servers refuse these.
      const length = body && { 'content-length': String(body.length) }
      const options = { agent, method, path, headers: { ...headers, ...length }, timeout: ANSWER_LIMIT_MS }
      const sent = open(origin, options, response => {
        const hash = createHash('sha1')
        response.on('data', (chunk: Buffer) => hash.update(chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode as number, digest: hash.digest('hex') }),
        )
        response.on('error', error => resolve(failed(error)))
      })
      sent.on('timeout', () => sent.destroy(new Error('no answer')))
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The server has closed an idle connection just when this request was sent on it.
        const isStale = sent.reusedSocket && error.code === 'ECONNRESET' && !isClosed
        resolve(isStale ? send(request) : failed(error))
      })
      sent.end(body)
      // Node.js refuses some headers, such as those with a character that HTTP does not have.
    }).catch(failed)
  return {
    send,
    close() {
      isClosed = true
      agent.destroy()
    },
  }
}

const failed = (error: NodeJS.ErrnoException): Answer => ({ status: error.code ?? error.message, digest: '' })
