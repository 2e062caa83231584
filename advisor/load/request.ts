/** A request that a load sends again and again. */
export interface Request {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
  /** How often it is sent, against the weights of the others. */
  readonly weight: number
}

interface Given {
  readonly method?: string | undefined
  readonly headers?: Request['headers'] | undefined
  readonly body?: string | Buffer | undefined
  readonly weight?: number
}

/** A URL of which perhaps only the path was given. By itself, a path that begins with two slashes would be read as a host. */
export const withHost = (url: string): string => (url.startsWith('/') ? `http://localhost${url}` : url)

/** A request to the path of a URL; by default a GET, or with a body, a POST. */
export function requestTo(url: string, { method, headers = {}, body, weight = 1 }: Given): Request {
  const { pathname, search } = new URL(withHost(url))
  return {
    method: method ?? (body ? 'POST' : 'GET'),
    path: pathname + search,
    headers,
    body: typeof body === 'string' ? Buffer.from(body) : body,
    weight,
  }
}

/** Where requests go, and how. */
export interface Target {
  /** Such as `https://127.0.0.1:3000`. */
  readonly origin: string
  readonly isHttp2: boolean
}
