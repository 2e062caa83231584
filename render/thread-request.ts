import { type Thrown, toError } from '../lib/threads/thrown.ts'
import type { LoadRequest } from './app-module.ts'
import type { PageCall } from './protocol.ts'

/** A promise with what React notes on it: `use` then returns the value at once, without suspending. */
interface LateValue extends Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'> {
  readonly promise: Promise<unknown> & { status?: string; value?: unknown }
}

/** The request of a page in the thread. What `load` may not need is made when it is read. */
export class ThreadRequest implements LoadRequest {
  readonly url: string
  readonly method: string
  readonly body: LoadRequest['body']
  readonly nonce: LoadRequest['nonce']
  readonly shellDeadline: number
  readonly props: Record<string, unknown>
  readonly #rawHeaders: readonly string[]
  readonly #late = new Map<string, LateValue>()
  #head: RequestHead | undefined
  #aborter: AbortController | undefined
  #abortReason: { readonly reason: unknown } | undefined

  constructor(call: PageCall) {
    this.url = call.url
    this.method = call.method
    this.body = call.body
    this.nonce = call.nonce
    this.shellDeadline = call.shellDeadline
    this.#rawHeaders = call.rawHeaders
    this.props = { ...call.props }
    for (const name of call.late) {
      const late = Promise.withResolvers<unknown>()
      // Nobody may wait for it.
      late.promise.catch(() => {})
      this.#late.set(name, late)
      this.props[name] = late.promise
    }
  }

  get headers(): Headers {
    return this.#readHead().headers
  }

  get signal(): AbortSignal {
    this.#aborter ??= new AbortController()
    if (this.#abortReason) this.#aborter.abort(this.#abortReason.reason)
    return this.#aborter.signal
  }

  toRequest(): Request {
    const { method } = this
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
    this.#head ??= headOf(this.#rawHeaders)
    return this.#head
  }

  #bodyInit(): RequestInit {
    const { method, body } = this
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

/** Reads headers, names and values in turn. Those of HTTP/2 that begin with a colon are parts of the URL. */
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

/** A request that makes no sense, because of what its client has sent. */
const badRequest = (message: string, cause?: unknown): TypeError =>
  Object.assign(new TypeError(message, { cause }), { statusCode: 400 })

/**
 * The URL of a request (RFC 9110, section 7.1), whose target is path and query, a whole URL, or `*`. A path is appended to the
 * host as it was sent: resolving it would take `//a/b` for a host and a path. @throws TypeError with the status 400
 */
function urlOf(target: string, scheme: 'http' | 'https', host: string): URL {
  const isWhole = /^https?:\/\//i.test(target)
  if (!isWhole && !isHost(host))
    throw badRequest(`the host of the request is no host: ${JSON.stringify(host)}`)
  try {
    return new URL(isWhole ? target : `${scheme}://${host}${target.startsWith('/') ? '' : '/'}${target}`)
  } catch (error) {
    throw badRequest('the URL of the request cannot be read', error)
  }
}

const isHost = (host: string): boolean => !/[\s/?#@\\]/.test(host) && URL.canParse(`http://${host}`)
