import { record } from '../../lib/record.ts'
import type { CallTimes } from '../../lib/telemetry/call-times.ts'
import { Departure } from '../../lib/threads/departure.ts'
import type { LoadedPage, LoadRequest } from '../../render/app-module.ts'
import type { Caller, CallHeaders, ThreadData } from '../concerns/upstream/contract.ts'
import { createThreadClient, type ThreadClient } from '../concerns/upstream/in-thread.ts'
import { loadInThread } from './load-in-thread.ts'
import type { PageModule, PageProps } from './page.ts'
import { noteCall } from './page-notes.ts'
import { fetchPageData, type SourceName, sourceNames } from './sources.ts'
import type { ThreadPageOptions } from './thread-page.ts'

/** The module of the page for render threads that fetch the data themselves. */
export { default, react } from './page.ts'

export interface FetchingPageOptions extends ThreadPageOptions {
  readonly upstream: ThreadData
}

/** The props of a page whose data its thread fetches. */
export interface FetchingPageProps extends Omit<PageProps, SourceName> {
  /** The deadline of the request, which limits the calls. Milliseconds by the monotonic clock. */
  readonly callDeadline: number
  /** Absent for a page that a fault asks for, which fetches nothing. */
  readonly headers?: Readonly<Record<SourceName, CallHeaders>>
  /** The names of the calls for `endLate`. Present with the headers. */
  readonly callIds?: Readonly<Record<SourceName, number>>
}

let page: PageModule
let client: ThreadClient

export async function setup(options: FetchingPageOptions): Promise<void> {
  page = await import(options.page)
  client = await createThreadClient(options.upstream)
}

export function load(request: LoadRequest, loaded: LoadedPage) {
  const { callDeadline, headers, callIds, ...props } = request.props as unknown as FetchingPageProps
  if (!headers || !callIds) return loadInThread(page, props as PageProps, loaded)
  const callers = record(
    sourceNames,
    source =>
      new PageCaller(callDeadline, headers[source], times => {
        if (!loaded.note(noteCall(source, times))) client.endLate(callIds[source], times)
      }),
  )
  request.signal.addEventListener('abort', () => {
    for (const source of sourceNames) callers[source].leave()
  })
  return loadInThread(page, { ...props, ...fetchPageData(client, props.query, callers) }, loaded)
}

/** The request for which a page is made, as a call upstream sees it. */
class PageCaller extends Departure implements Caller {
  readonly deadline: number
  readonly headers: CallHeaders
  readonly onCalled: (times: CallTimes) => void

  constructor(deadline: number, headers: CallHeaders, onCalled: (times: CallTimes) => void) {
    super()
    this.deadline = deadline
    this.headers = headers
    this.onCalled = onCalled
  }
}
