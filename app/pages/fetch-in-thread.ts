import { record } from '../../lib/record.ts'
import type { CallTimes } from '../../lib/telemetry/call-times.ts'
import { Departure } from '../../lib/threads/departure.ts'
import type { FetchingProps } from '../concerns/rendering/contract.ts'
import type { ThreadData } from '../concerns/upstream/contract.ts'
import { createThreadClient } from '../concerns/upstream/in-thread.ts'
import { noteCall } from './page-notes.ts'
import { fetchPageData, sourceNames } from './sources.ts'
import type { FetchInThread } from './thread-page.ts'

/** Lets a render thread fetch the data of its pages, and tell the main thread how the calls went. */
export async function createFetch(data: ThreadData): Promise<FetchInThread> {
  const client = await createThreadClient(data)
  return (request, page) => {
    const { query, callDeadline: deadline, headers, callIds } = request.props as unknown as FetchingProps
    if (!headers || !callIds) return undefined
    const caller = Object.assign(new Departure(), { deadline })
    request.signal.addEventListener('abort', () => caller.leave())
    const recorded = record(sourceNames, source => ({
      headers: headers[source],
      onCalled(times: CallTimes) {
        if (!page.note(noteCall(source, times))) client.endLate(callIds[source], times)
      },
    }))
    return fetchPageData(client, query, caller, recorded)
  }
}
