import { UserError } from '../../lib/cli/user-error.ts'
import { readGiven } from '../given-file.ts'
import { type Request, requestTo } from './request.ts'

/** Reads a file with requests: a HAR, or a line for each. @throws UserError one line that says what is wrong */
export function readFile(file: string): Request[] {
  const text = readGiven('--requests', file).toString('utf8')
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
      if (!matched || !URL.canParse(url, 'http://localhost') || Number(weight) === 0)
        throw new UserError(`--requests: line ${number} of ${file} is no request such as "3 POST /orders {}"`)
      return requestTo(url, { method, body, weight: Number(weight) })
    })
}

interface HarRequest {
  readonly method: string
  readonly url: string
  readonly headers?: readonly { readonly name: string; readonly value: string }[]
  readonly postData?: { readonly text?: string }
}

/** What the connection or the client decides, and pseudo-headers of HTTP/2. */
const OWN_HEADERS = /^(?::.*|host|connection|content-length|transfer-encoding|keep-alive|upgrade)$/i

/** The requests of a HAR (http://www.softwareishard.com/blog/har-12-spec/) to the server of its first one. */
function readHar(text: string, file: string): Request[] {
  try {
    const requests: HarRequest[] = JSON.parse(text).log.entries.map(
      (entry: { request: HarRequest }) => entry.request,
    )
    const [first] = requests.map(({ url }) => new URL(url).origin)
    return requests
      .filter(({ url }) => new URL(url).origin === first)
      .map(({ method, url, headers = [], postData }) =>
        requestTo(url, { method: String(method), headers: headersOf(headers), body: postData?.text }),
      )
  } catch (error) {
    throw new UserError(`--requests: ${file} is no HAR (${(error as Error).message})`)
  }
}

const headersOf = (headers: readonly { readonly name: string; readonly value: string }[]) =>
  Object.fromEntries(
    headers
      .filter(({ name }) => !OWN_HEADERS.test(name))
      .map(({ name, value }) => [name.toLowerCase(), value]),
  )
