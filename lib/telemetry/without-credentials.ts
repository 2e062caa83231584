const HIDDEN = '[redacted]'

/** Leaves out of the URLs in a text what may be secret: user, password and query. */
export const withoutCredentials = (text: string): string =>
  text.replace(/\bhttps?:\/\/\S+/gi, found => {
    const url = URL.parse(found)
    if (!url) return HIDDEN
    const { protocol, host, pathname, search } = url
    return `${protocol}//${host}${pathname}${search && `?${HIDDEN}`}`
  })
