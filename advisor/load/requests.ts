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

/** Reads a file with requests: a HAR, or a line for each. @throws UserError one line that says what is wrong */
export function readFile(file: string): Request[] {
  const text = new TextDecoder().decode(readGiven('--requests', file))
  const requests = text.trimStart().startsWith('{') ? readHar(text, file) : readLines(text, file)
  if (requests.length > 0) return requests
  throw new UserError(`--requests: there is no request in ${file}`)
}

/** Weight, method, path or URL, and body. */
const LINE = /^(?:(\d{1,6})\s+)?(?:([A-Z][A-Z-]*)\s+)?(\/\S*|https?:\/\/\S+)(?:\s+(\S.*))?$/

function readLines(text: string, file: string): Request[] {
  const lines = text.split('\n').map((line, index) => ({ line: line.trim(), number: index + 1 }))
  return lines
    .filter(({ line }) => line !== '' && !line.startsWith('#'))
    .map(({ line, number }) => {
      const [matched, weight = '1', method, url = '', body] = LINE.exec(line) ?? []
      if (!matched || !URL.canParse(withHost(url)) || Number(weight) === 0)
        throw new UserError(`--requests: line ${number} of ${file} is no request such as "3 POST /orders {}"`)
      return requestTo(url, { method, body, weight: Number(weight) })
    })
}

interface Named {
  readonly name: string
  readonly value?: string
}

interface PostData {
  readonly mimeType?: string
  readonly text?: string
  readonly encoding?: string
  /** The fields of a form. A HAR has either these or the text, but some programs write an empty text beside them. */
  readonly params?: readonly Named[]
}

interface HarEntry {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers?: readonly Named[]
    readonly postData?: PostData
  }
  /** What the browser asked for; Chromium and Firefox write it. */
  readonly _resourceType?: string
}

/** What the connection or the client decides, and pseudo-headers of HTTP/2. */
const OWN_HEADERS = /^(?::.*|host|connection|content-length|transfer-encoding|keep-alive|upgrade)$/i

/**
 * The requests of a HAR (http://www.softwareishard.com/blog/har-12-spec/) to the server of its first document, or if it tells no
 * document, of its first request. Requests that are not HTTP, such as those of an extension or a data URL, are left out.
 */
function readHar(text: string, file: string): Request[] {
  try {
    const entries: HarEntry[] = JSON.parse(text).log.entries
    const sent = entries.filter(({ request: { url } }) => /^https?:/.test(url))
    const first = sent.find(entry => entry._resourceType === 'document') ?? sent[0]
    const origin = first && new URL(first.request.url).origin
    return sent
      .filter(({ request }) => new URL(request.url).origin === origin)
      .map(({ request: { method, url, headers = [], postData } }) => {
        const given = headersOf(headers)
        if (postData?.mimeType) given['content-type'] ??= postData.mimeType
        return requestTo(url, { method: String(method), headers: given, body: bodyOf(postData) })
      })
  } catch (error) {
    throw new UserError(`--requests: ${file} is no HAR (${(error as Error).message})`)
  }
}

/** Header lines with one name are joined, as RFC 9110 allows; those of cookies as RFC 6265 has them. */
function headersOf(headers: readonly Named[]): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const { name, value = '' } of headers.filter(({ name }) => !OWN_HEADERS.test(name))) {
    const key = name.toLowerCase()
    const before = joined[key]
    joined[key] = before === undefined ? value : `${before}${key === 'cookie' ? '; ' : ', '}${value}`
  }
  return joined
}

/** The body of a request. A browser records a form as fields, but one of several parts, such as a file, as text. */
function bodyOf({ mimeType: type, text, encoding, params = [] }: PostData = {}) {
  if (text) return encoding === 'base64' ? Buffer.from(text, 'base64') : text
  if (params.length === 0) return undefined
  if (type?.startsWith('multipart/')) throw new Error('a form of several parts has no text')
  return String(new URLSearchParams(params.map(({ name, value = '' }) => [name, value])))
}
