import { UserError } from '../../lib/cli/user-error.ts'
import { readGiven } from '../given-file.ts'

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
const withHost = (url: string): string => (url.startsWith('/') ? `http://localhost${url}` : url)

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

/** Weight, method, path or URL, and body. */
const LINE = /^(?:(\d{1,6})\s+)?(?:([A-Z][A-Z-]*)\s+)?(\/\S*|https?:\/\/\S+)(?:\s+(\S.*))?$/

/** Reads a file with a line for each request. @throws UserError one line that says what is wrong */
export function readFile(file: string, headers: Given['headers']): Request[] {
  const text = new TextDecoder().decode(readGiven('--requests', file))
  const lines = text.split('\n').map((line, index) => ({ line: line.trim(), number: index + 1 }))
  const requests = lines
    .filter(({ line }) => line !== '' && !line.startsWith('#'))
    .map(({ line, number }) => {
      const [matched, weight = '1', method, url = '', body] = LINE.exec(line) ?? []
      if (!matched || !URL.canParse(withHost(url)) || Number(weight) === 0)
        throw new UserError(`--requests: line ${number} of ${file} is no request such as "3 POST /orders {}"`)
      return requestTo(url, { method, headers, body, weight: Number(weight) })
    })
  if (requests.length > 0) return requests
  throw new UserError(`--requests: there is no request in ${file}`)
}
