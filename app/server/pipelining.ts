import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { hasBody } from '../http-limits.ts'
import type { Extra } from './extra.ts'

/** Requests of a connection that may be behind an unanswered one. */
const MAX_BEHIND = 8
/** The answer of a parser's `onIncoming` after which the parser stops, at the end of the head of the request. */
const STOP = 2

/**
 * The parts of the parser of node:http that are used here. They are not documented; `pipelining.test.ts` shows that they
 * still work. The documented ways act after a read of 64 KiB, which is up to 2,000 requests.
 */
interface Parser {
  onIncoming(request: IncomingMessage & { readonly upgrade?: boolean }, keepAlive: boolean): number
  /** Parses bytes. @returns the number of bytes that were parsed */
  execute(bytes: Buffer): number | Error
  /** A copy of the bytes that are being parsed. */
  getCurrentBuffer(): Buffer
  readonly constructor: { readonly kOnExecute: number }
  /** Called after bytes of the connection were parsed. */
  [kOnExecute: number]: (parsed: number | Error) => void
}

interface HttpSocket extends Omit<Socket, 'resume'> {
  resume(): unknown
  /** Null after the connection was closed. */
  readonly parser: Parser | null
  /** Whether node:http waits until the client reads. */
  readonly _paused: boolean
}

/**
 * Limits the requests that one connection has in flight. A client may send requests without waiting for answers
 * (pipelining), and node:http begins all requests of a read at once: memory, and the wait of other clients, would depend
 * on one client. With this limit the rest of the read stays unparsed, and nothing more is read from the connection,
 * until earlier requests are answered. Each turn of the event loop begins few requests of a connection, so that other
 * connections have their turns, too.
 *
 * It is the same for every framework. A connection that does not pipeline pays for reading one property a request.
 */
export function limitPipelining(server: Server): void {
  const lines = new WeakMap<Socket, Line>()
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    // An answer gets the socket when the answers before it have been sent.
    if (response.socket !== null) return
    const { socket } = request
    const line = lines.get(socket) ?? new Line(socket as unknown as HttpSocket)
    lines.set(socket, line)
    line.add(response)
  })
}

export const createExtra = (): Extra => ({ protect: limitPipelining })

/** The requests of one connection that came before earlier ones were answered. */
class Line {
  readonly #socket: HttpSocket
  readonly #parser: Parser
  readonly #onExecute: (parsed: number | Error) => void
  readonly #resume: HttpSocket['resume']
  #behind = 0
  #isStopped = false
  #isScheduled = false
  /** Bytes that were read and not parsed. */
  #rest: Buffer = Buffer.alloc(0)

  constructor(socket: HttpSocket) {
    const parser = socket.parser as Parser
    const { kOnExecute } = parser.constructor
    const { onIncoming, [kOnExecute]: onExecute } = parser
    this.#socket = socket
    this.#parser = parser
    this.#onExecute = onExecute as Parser[number]
    this.#resume = socket.resume
    parser.onIncoming = (request, keepAlive) => {
      const decision = onIncoming(request, keepAlive)
      // The parser would take a body for the next request.
      if (this.#behind < MAX_BEHIND || request.upgrade || hasBody(request)) return decision
      this.#stop()
      return STOP
    }
    parser[kOnExecute] = parsed => {
      if (this.#isStopped && typeof parsed === 'number')
        this.#rest = parser.getCurrentBuffer().subarray(parsed)
      this.#onExecute(parsed)
    }
    socket.on('drain', () => this.#schedule())
  }

  add(response: ServerResponse): void {
    this.#behind++
    response.once('close', () => {
      this.#behind--
      this.#schedule()
    })
  }

  /** node:http calls `resume` after every answer, so `pause` alone would not last. */
  #stop(): void {
    this.#isStopped = true
    this.#socket.resume = () => {}
    this.#socket.pause()
  }

  #schedule(): void {
    if (!this.#isStopped || this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#goOn()
    })
  }

  #goOn(): void {
    while (this.#rest.length > 0) {
      const isClosed = this.#socket.parser !== this.#parser
      if (isClosed || this.#socket._paused || this.#behind >= MAX_BEHIND) return
      const parsed = this.#parser.execute(this.#rest)
      this.#rest = typeof parsed === 'number' ? this.#rest.subarray(parsed) : Buffer.alloc(0)
      this.#onExecute(parsed)
    }
    this.#isStopped = false
    this.#socket.resume = this.#resume
    this.#socket.resume()
  }
}
