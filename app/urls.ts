import { splitUrl } from '../lib/http/query.ts'
import { isTooLong } from './http-limits.ts'
import type { ProblemCode } from './problems.ts'

/** Frameworks treat these characters differently: they decode them, cut the URL there, or leave them alone. */
const UNUSUAL = /[%#]|^[^/]/

/**
 * Returns the problem of a URL that was routed as `path`, or undefined. A URL is refused when it is too long, has a
 * fragment, which no client sends, or has a percent-encoding that is not UTF-8. The path must match without decoding.
 */
export function objectionToUrl(url: string, path: string): ProblemCode | undefined {
  if (isTooLong(url)) return 'URL_TOO_LONG'
  if (!UNUSUAL.test(url)) return undefined
  if (url.includes('#') || !isDecodable(url)) return 'MALFORMED_URL'
  return splitUrl(url)[0] === path ? undefined : 'NOT_FOUND'
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}
