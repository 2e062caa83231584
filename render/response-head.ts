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
