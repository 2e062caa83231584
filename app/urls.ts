import { splitUrl } from '../lib/query.ts'
import { isTooLong } from './limits.ts'
import type { ProblemCode } from './problems.ts'

/** What frameworks would decode, cut off or leave alone, each in its way. */
const UNUSUAL = /[%#]|^[^/]/

/**
 * What is wrong with a URL that was taken for `path`: it is longer than any route has a use for, has a fragment, which no
 * client sends, or an escape that is no UTF-8. A path is what it is spelled.
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
