import { isThenable } from '../../lib/threads/thrown.ts'
import type { PageCall } from '../protocol.ts'
import type { PageRequest } from './renderer-types.ts'

/** A page as it is sent to a thread. @param readsRequest whether the module of the page reads headers */
export function callOf(
  { component, url, method = 'GET', rawHeaders = [], body, props = {}, nonce, mode = 'stream' }: PageRequest,
  readsRequest: boolean,
  deadlines: Pick<PageCall, 'shellDeadline' | 'pageDeadline'>,
): PageCall {
  const late = Object.keys(props).filter(name => isThenable(props[name]))
  return {
    ...(component !== undefined && { component }),
    url,
    method,
    rawHeaders: readsRequest ? rawHeaders : [],
    // The whole memory would be copied of which a view is a part, such as the pool of `Buffer`.
    body: typeof body === 'object' ? new Uint8Array(body) : body,
    props: late.length > 0 ? without(props, late) : props,
    late,
    nonce,
    mode,
    ...deadlines,
  }
}

const without = (props: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(props).filter(([name]) => !names.includes(name)))
