export type HeaderValues = Readonly<Record<string, string | readonly string[]>>

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

/**
 * The headers of a page, with the values of lists that were set before.
 * @param before the value of a header that was set before
 */
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
