import { isThenable } from '../../lib/threads/thrown.ts'
import type { PageCall } from '../protocol.ts'
import type { PageRequest } from './renderer-types.ts'

/**
 * A page as it is sent to a thread.
 * @param readsRequest whether the module of the page reads headers
 */
export function callOf(
  { component, url, method = 'GET', rawHeaders = [], body, props, nonce, mode = 'stream' }: PageRequest,
  readsRequest: boolean,
  deadlines: Pick<PageCall, 'shellDeadline' | 'pageDeadline'>,
): PageCall {
  const late = lateProps(props)
  return {
    ...(component !== undefined && { component }),
    url,
    method,
    rawHeaders: readsRequest ? rawHeaders : [],
    // The whole memory would be copied of which a view is a part, such as the pool of `Buffer`.
    body: typeof body === 'object' ? new Uint8Array(body) : body,
    props: late.length > 0 ? withoutLate(props) : (props ?? {}),
    late,
    nonce,
    mode,
    ...deadlines,
  }
}

function lateProps(props: PageRequest['props']): string[] {
  const late: string[] = []
  for (const name in props) if (isThenable(props[name])) late.push(name)
  return late
}

const withoutLate = (props: PageRequest['props']): Record<string, unknown> =>
  Object.fromEntries(Object.entries(props ?? {}).filter(([, value]) => !isThenable(value)))
