import { createHash } from 'node:crypto'
import * as http from 'node:http'
import * as http2 from 'node:http2'
import * as https from 'node:https'
import type { Request, Target } from './request.ts'

/** An answer that takes longer counts as an error. */
const ANSWER_LIMIT_MS = 30_000

export interface Answer {
  /** The status, or the code of the error that came in the place of an answer. */
  readonly status: number | string
  readonly digest: string
}

/** One connection, opened when it is needed and again when it has broken. It sends one request at a time. */
export interface Sender {
  send(request: Request): Promise<Answer>
  close(): void
}

/** A service that is tried out often has a certificate of its own making, so certificates are not checked. */
const UNCHECKED = { rejectUnauthorized: false }

export function createSender(target: Target): Sender {
  const { send, close } = target.isHttp2 ? createHttp2(target) : createHttp1(target)
  // Node.js refuses some headers, such as those with a character that HTTP does not have.
  return { send: request => send(request).catch(failed), close }
}

function createHttp1({ origin }: Target): Sender {
  const { request: open, Agent } = origin.startsWith('https:') ? https : http
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ...UNCHECKED })
  let isClosed = false
  const send = (request: Request) =>
    new Promise<Answer>(resolve => {
      const { method, path, headers, body } = request
      // Node.js sends a body of unknown length in chunks, and some servers refuse these.
      const length = body && { 'content-length': String(body.length) }
      const options = { agent, method, path, headers: { ...headers, ...length }, timeout: ANSWER_LIMIT_MS }
      const sent = open(origin, options, response => digest(response, () => response.statusCode, resolve))
      sent.on('timeout', () => sent.destroy(new Error('no answer')))
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The server has closed an idle connection just when this request was sent on it.
        const isStale = sent.reusedSocket && error.code === 'ECONNRESET' && !isClosed
        resolve(isStale ? send(request) : failed(error))
      })
      sent.end(body)
    })
  return {
    send,
    close() {
      isClosed = true
      agent.destroy()
    },
  }
}

function createHttp2({ origin }: Target): Sender {
  let session: http2.ClientHttp2Session | undefined
  const open = () => {
    session = http2.connect(origin, UNCHECKED)
    // The request that waits has the error.
    session.on('error', () => {})
    return session
  }
  return {
    send: ({ method, path, headers, body }) =>
      new Promise(resolve => {
        const current = session && !session.closed && !session.destroyed ? session : open()
        const stream = current.request({ ...headers, ':method': method, ':path': path })
        let status: number | undefined
        stream.setTimeout(ANSWER_LIMIT_MS, () => stream.destroy(new Error('no answer')))
        stream.on('response', answer => {
          status = answer[':status']
        })
        stream.on('error', error => resolve(failed(error)))
        digest(stream, () => status, resolve)
        stream.end(body)
      }),
    close: () => session?.destroy(),
  }
}

function digest(
  body: NodeJS.ReadableStream,
  status: () => number | undefined,
  resolve: (answer: Answer) => void,
): void {
  const hash = createHash('sha1')
  body.on('data', (chunk: Buffer) => hash.update(chunk))
  body.on('end', () => resolve({ status: status() ?? 'no answer', digest: hash.digest('hex') }))
  body.on('error', error => resolve(failed(error)))
}

const failed = (error: NodeJS.ErrnoException): Answer => ({ status: error.code ?? error.message, digest: '' })
