/** A request that makes no sense, because of what its client has sent. */
export const badRequest = (message: string, cause?: unknown): TypeError =>
  Object.assign(new TypeError(message, { cause }), { statusCode: 400 })

/**
 * The URL of a request (RFC 9110, section 7.1). A path is appended to the host as it was sent: resolving it would take
 * `//a/b` for a host and a path.
 * @param target path and query, or a whole URL, or `*`
 * @throws TypeError with the status 400
 */
export function urlOf(target: string, scheme: 'http' | 'https', host: string): URL {
  const isWhole = /^https?:\/\//i.test(target)
  if (!isWhole && !isHost(host))
    throw badRequest(`the host of the request is no host: ${JSON.stringify(host)}`)
  try {
    return new URL(isWhole ? target : `${scheme}://${host}${target.startsWith('/') ? '' : '/'}${target}`)
  } catch (error) {
    throw badRequest('the URL of the request cannot be read', error)
  }
}

const isHost = (host: string): boolean => !/[\s/?#@\\]/.test(host) && URL.canParse(`http://${host}`)
