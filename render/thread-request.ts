import { type Thrown, toError } from '../lib/threads/thrown.ts'
import type { LoadRequest } from './app-module.ts'
import type { PageCall } from './protocol.ts'
import { badRequest, urlOf } from './request-url.ts'

/** A promise with what React notes on it: `use` then returns the value at once, without suspending. */
interface LateValue extends Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'> {
  readonly promise: Promise<unknown> & { status?: string; value?: unknown }
}

/** The request of a page in the thread. What `load` may not need is made when it is read. */
export class ThreadRequest implements LoadRequest {
  readonly #call: PageCall
  readonly props: Record<string, unknown>
  readonly #late = new Map<string, LateValue>()
  #head: RequestHead | undefined
  #aborter: AbortController | undefined
  #abortReason: { readonly reason: unknown } | undefined

  constructor(call: PageCall) {
    this.#call = call
    this.props = { ...call.props }
    for (const name of call.late) {
      const late = Promise.withResolvers<unknown>()
      // Nobody may wait for it.
      late.promise.catch(() => {})
      this.#late.set(name, late)
      this.props[name] = late.promise
    }
  }

  get url(): string {
    return this.#call.url
  }

  get method(): string {
    return this.#call.method
  }

  get nonce(): LoadRequest['nonce'] {
    return this.#call.nonce
  }

  get shellDeadline(): number {
    return this.#call.shellDeadline
  }

  get headers(): Headers {
    return this.#readHead().headers
  }

  get body(): string | Uint8Array | undefined {
    return this.#call.body
  }

  get signal(): AbortSignal {
    this.#aborter ??= new AbortController()
    if (this.#abortReason) this.#aborter.abort(this.#abortReason.reason)
    return this.#aborter.signal
  }

  toRequest(): Request {
    const { method } = this.#call
    const { headers, scheme } = this.#readHead()
    const url = urlOf(this.url, scheme, headers.get('host') ?? 'localhost')
    try {
      return new Request(url, { method, headers, signal: this.signal, ...this.#bodyInit() })
    } catch (error) {
      throw badRequest('the request is not one that the web has', error)
    }
  }

  settle(name: string, value: unknown): void {
    const late = this.#late.get(name) as LateValue
    Object.assign(late.promise, { status: 'fulfilled', value })
    late.resolve(value)
  }

  reject(name: string, error: Thrown): void {
    this.#late.get(name)?.reject(toError(error))
  }

  abort(reason: unknown): void {
    this.#abortReason ??= { reason }
    this.#aborter?.abort(reason)
  }

  #readHead(): RequestHead {
    this.#head ??= headOf(this.#call.rawHeaders)
    return this.#head
  }

  #bodyInit(): RequestInit {
    const { method, body } = this.#call
    if (method === 'GET' || method === 'HEAD') return {}
    if (body !== undefined) return { body: body as NonNullable<RequestInit['body']> }
    const { headers } = this
    const hadBody = headers.has('transfer-encoding') || Number(headers.get('content-length')) > 0
    return hadBody ? { body: takenBody(), duplex: 'half' } : {}
  }
}

interface RequestHead {
  readonly headers: Headers
  readonly scheme: 'http' | 'https'
}

/**
 * Reads headers. Those of HTTP/2 that begin with a colon are no headers, but parts of the URL.
 * @param raw names and values in turn
 */
function headOf(raw: readonly string[]): RequestHead {
  const headers = new Headers()
  const pseudo: Record<string, string> = {}
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name, value] = raw.slice(index, index + 2) as [string, string]
    if (name.startsWith(':')) pseudo[name] = value
    else headers.append(name, value)
  }
  const authority = pseudo[':authority']
  if (authority !== undefined && !headers.has('host')) headers.set('host', authority)
  return { headers, scheme: pseudo[':scheme'] === 'https' ? 'https' : 'http' }
}

/** Fails when it is read. */
const takenBody = () =>
  new ReadableStream(
    {
      pull(controller) {
        controller.error(new TypeError('the body was read before it came to the renderer; pass it as `body`'))
      },
    },
    { highWaterMark: 0 },
  )
