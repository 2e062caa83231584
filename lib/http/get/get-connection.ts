import { connect, type Socket } from 'node:net'
import { monotonicMs } from '../../units.ts'
import type { CallController, CallHandler } from './call-pool.ts'
import type { BodyReader } from './read-body.ts'
import { readHead } from './read-head.ts'

const HTTP_PORT = 80

/** Takes one read of any connection of this thread, which is parsed before the next read. */
const buffer = Buffer.allocUnsafeSlow(64 * 1024)

interface Events {
  /** The request has ended, and another may be sent. */
  onFree(): void
  onClosed(): void
}

/** A connection for one request at a time. Bytes are parsed as they are read, without a stream. */
export class GetConnection {
  /** The end of the last request, in milliseconds by the monotonic clock. */
  usedAtMs = 0
  readonly #socket: Socket
  readonly #events: Events
  #call: Call | undefined
  /** The beginning of a head that is not complete. */
  #head: Buffer = Buffer.alloc(0)
  /** Undefined until the head has come. */
  #body: BodyReader | undefined
  #isReusable = false

  constructor({ hostname, port }: URL, events: Events) {
    this.#events = events
    this.#socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || HTTP_PORT,
      noDelay: true,
      onread: {
        buffer,
        callback: length => {
          this.#read(buffer.subarray(0, length))
          return true
        },
      },
    })
    this.#socket
      .on('error', error => this.#fail(error))
      .once('end', () => {
        if (this.#body?.isDelimited === false) this.#finish()
        else this.#fail(endedEarly())
      })
      .once('close', () => events.onClosed())
  }

  get isOpen(): boolean {
    return this.#socket.readable && this.#socket.writable
  }

  /** Sends a request, once the connection is there. */
  send(request: string, handler: CallHandler): void {
    const call = new Call(handler, () => this.destroy())
    this.#call = call
    const write = () => {
      handler.onRequestStart(call)
      if (!call.aborted) this.#socket.write(request, 'latin1')
    }
    if (this.#socket.connecting) this.#socket.once('connect', write)
    else write()
  }

  destroy(): void {
    this.#call = undefined
    this.#socket.destroy()
  }

  #read(bytes: Buffer): void {
    try {
      let rest = bytes
      while (rest.length > 0 && this.#call) {
        rest = this.#body ? this.#readBody(rest, this.#body) : this.#readHead(rest)
        if (this.#body?.isComplete) this.#finish()
      }
      // The server sent bytes although no request is open, so the connection cannot be trusted any more.
      if (rest.length > 0) this.destroy()
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  /** @returns the bytes behind the head */
  #readHead(bytes: Buffer): Buffer {
    const all = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes])
    const head = readHead(all)
    this.#head = head ? Buffer.alloc(0) : Buffer.from(all)
    if (head?.body) {
      this.#body = head.body
      this.#isReusable = head.isReusable
      this.#call?.handler.onResponseStart(this.#call, head.status)
    }
    return all.subarray(head?.length ?? all.length)
  }

  /** @returns the bytes behind the body */
  #readBody(bytes: Buffer, body: BodyReader): Buffer {
    return bytes.subarray(body.read(bytes, chunk => this.#call?.handler.onResponseData(this.#call, chunk)))
  }

  #finish(): void {
    const call = this.#call
    this.#call = undefined
    this.#body = undefined
    this.usedAtMs = monotonicMs()
    if (this.#isReusable) this.#events.onFree()
    else this.destroy()
    call?.handler.onResponseEnd(call)
  }

  #fail(error: Error): void {
    const call = this.#call
    this.destroy()
    call?.handler.onResponseError(call, error)
  }
}

class Call implements CallController {
  readonly handler: CallHandler
  readonly #onAbort: () => void
  aborted = false

  constructor(handler: CallHandler, onAbort: () => void) {
    this.handler = handler
    this.#onAbort = onAbort
  }

  abort(): void {
    this.aborted = true
    this.#onAbort()
  }
}

/** Has the code that undici gives to this error, so that spans of threads tell the same as those of the main thread. */
const endedEarly = () =>
  Object.assign(new Error('the connection ended before the answer'), { code: 'UND_ERR_SOCKET' })
