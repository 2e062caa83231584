import { validateHeaderName, validateHeaderValue } from 'node:http'

/** Names are in lower case. */
export type HeaderValues = Readonly<Record<string, string | readonly string[]>>

/** The usual type of a page. */
export const HTML = 'text/html; charset=utf-8'

/** Statuses whose answers have no body. */
const BODILESS = [204, 205, 304]

export const isBodiless = (status: number): boolean => BODILESS.includes(status)

/** Headers of one connection (RFC 9110, section 7.6.1), and the length of a body, which is counted when it is known. */
const OF_THE_CONNECTION = [
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/**
 * The headers of a page as they are sent: names in lower case, values as text, and none that belong to the connection.
 * @throws TypeError that names a header, or the status, that HTTP does not allow
 */
export function checkHead(status: unknown, headers: object): HeaderValues {
  if (!Number.isInteger(status) || Number(status) < 200 || Number(status) > 599)
    throw new TypeError(`the status of an answer is an integer from 200 to 599, not ${show(status)}`)
  const checked = new Map<string, string | string[]>()
  for (const [given, value] of Object.entries(headers)) {
    if (value === undefined) continue
    validateHeaderName(given)
    const name = given.toLowerCase()
    if (OF_THE_CONNECTION.includes(name)) continue
    checked.set(name, Array.isArray(value) ? value.map(each => textOf(name, each)) : textOf(name, value))
  }
  return Object.fromEntries(checked)
}

function textOf(name: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number')
    throw new TypeError(`the header ${name} is some text, not ${show(value)}`)
  const text = String(value)
  validateHeaderValue(name, text)
  return text
}

const show = (value: unknown): string =>
  typeof value === 'object' && value !== null ? 'an object' : String(value)

/** Headers that have several values: those of a page come after those that were set before. */
const LISTS: ReadonlySet<string> = new Set([
  'content-security-policy',
  'content-security-policy-report-only',
  'link',
  'server-timing',
  'set-cookie',
  'vary',
  'www-authenticate',
])

/** The headers of a page, behind the values of lists that were set before. @param before tells such a value */
export function withBefore(headers: HeaderValues, before: (name: string) => unknown): HeaderValues {
  let merged: Record<string, string | readonly string[]> | undefined
  for (const [name, value] of Object.entries(headers)) {
    if (!LISTS.has(name)) continue
    const earlier = before(name)
    if (earlier === undefined) continue
    const values = [earlier, value].flat() as string[]
    merged ??= { ...headers }
    merged[name] = name === 'set-cookie' ? values : values.join(', ')
  }
  return merged ?? headers
}

/** Codings of a body that `fetch` takes off. */
const DECODED = /^(gzip|x-gzip|deflate|br|zstd)$/i

/**
 * The headers of a `Response` as they are passed on. Those that its `connection` names stay behind. `fetch` has decoded
 * the body of what it returns, so its coding is no more that of the body, and an entity tag is no more a strong one.
 */
export function headersOf({ headers, url }: Response): Record<string, string | string[]> {
  const passed: Record<string, string | string[]> = Object.fromEntries(headers)
  for (const name of listOf(headers.get('connection'))) delete passed[name.toLowerCase()]
  const codings = listOf(headers.get('content-encoding'))
  if (url !== '' && codings.length > 0 && codings.every(coding => DECODED.test(coding))) {
    delete passed['content-encoding']
    const tag = headers.get('etag')
    if (tag?.startsWith('"')) passed.etag = `W/${tag}`
  }
  const cookies = headers.getSetCookie()
  if (cookies.length > 0) passed['set-cookie'] = cookies
  return passed
}

const listOf = (value: string | null): string[] =>
  (value ?? '')
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '')
