import { type Thrown, toError } from '../lib/threads/thrown.ts'
import type { LoadRequest } from './app-module.ts'
import type { TreeCall } from './tree-protocol.ts'

/** A promise with what React notes on it: `use` then returns the value at once, without suspending. */
interface LateValue extends Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'> {
  readonly promise: Promise<unknown> & { status?: string; value?: unknown }
}

/** The request of a page in the thread. What `load` may not need is made when it is read. */
export class TreeRequest implements LoadRequest {
  readonly #call: TreeCall
  readonly props: Record<string, unknown>
  readonly #late = new Map<string, LateValue>()
  #headers: Headers | undefined
  #aborter: AbortController | undefined
  #abortReason: { readonly reason: unknown } | undefined

  constructor(call: TreeCall) {
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

  get nonce(): string | undefined {
    return this.#call.nonce
  }

  get shellDeadline(): number {
    return this.#call.shellDeadline
  }

  get headers(): Headers {
    this.#headers ??= headersOf(this.#call.rawHeaders)
    return this.#headers
  }

  get signal(): AbortSignal {
    this.#aborter ??= new AbortController()
    if (this.#abortReason) this.#aborter.abort(this.#abortReason.reason)
    return this.#aborter.signal
  }

  toRequest(): Request {
    const { method, body } = this.#call
    const url = new URL(this.url, `http://${this.headers.get('host') ?? 'localhost'}`)
    return new Request(url, {
      method,
      headers: this.headers,
      signal: this.signal,
      ...(body !== undefined && { body: body as NonNullable<RequestInit['body']> }),
    })
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
}

/** @param raw names and values in turn */
function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers()
  for (let index = 0; index + 1 < raw.length; index += 2)
    headers.append(raw[index] as string, raw[index + 1] as string)
  return headers
}
