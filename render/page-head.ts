import { validateHeaderName, validateHeaderValue } from 'node:http'

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

type Headers = Readonly<Record<string, string | readonly string[]>>

/**
 * The headers of a page as they are sent: names in lower case, values as text, and none that belong to the connection. A
 * value that is undefined stands for no header.
 * @throws TypeError that names a header, or the status, that HTTP does not allow
 */
export function checkHead(status: unknown, headers: object): Headers {
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
