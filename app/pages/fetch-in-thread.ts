import { record } from '../../lib/record.ts'
import { type CallHeaders, type CallTimes, packTimes } from '../../lib/telemetry/call-times.ts'
import { Departure } from '../../lib/threads/departure.ts'
import type { LoadedPage, LoadRequest } from '../../render/app-module.ts'
import type { ThreadClient, ThreadData } from '../concerns/upstream/contract.ts'
import { createThreadClient } from '../concerns/upstream/in-thread.ts'
import type { PageModule, PageProps } from './page.ts'
import { fetchPageData, type SourceName, sourceNames } from './sources.ts'

/** The module of the page for render threads that fetch its data. */
export { default, options, react } from './page.ts'

export interface ThreadPageOptions {
  /** URL of a `PageModule`. */
  readonly page: string
  readonly upstream: ThreadData
}

/** The props of a page whose data its thread fetches. */
export interface FetchingProps {
  /** The deadline of the request, which limits the calls. Milliseconds by the monotonic clock. */
  readonly callDeadline: number
  /** Headers that the calls pass on. */
  readonly headers: Readonly<Record<SourceName, CallHeaders>>
  /** The names of the calls for `ThreadClient.endLate`. */
  readonly callIds: Readonly<Record<SourceName, number>>
}

/** A call that has ended: the number of its source, and its packed times. */
export type CallNote = readonly [source: number, ...times: unknown[]]

let page: PageModule
let client: ThreadClient

export async function setup({ page: url, upstream }: ThreadPageOptions): Promise<void> {
  page = await import(url)
  client = await createThreadClient(upstream)
}

export function load(request: LoadRequest, loaded: LoadedPage): ReturnType<PageModule['load']> {
  const props = request.props as unknown as PageProps & FetchingProps
  // A page that a fault asks for fetches nothing.
  const data = props.headers && fetchData(request, props, loaded)
  return page.load({ props: { ...props, ...data } }, loaded)
}

/** Begins the calls, and lets the main thread know how they went. */
function fetchData({ signal }: LoadRequest, props: PageProps & FetchingProps, loaded: LoadedPage) {
  const caller = Object.assign(new Departure(), { deadline: props.callDeadline })
  signal.addEventListener('abort', () => caller.leave())
  const recorded = record(sourceNames, source => ({
    headers: props.headers[source],
    onCalled(times: CallTimes) {
      const note: CallNote = [sourceNames.indexOf(source), ...packTimes(times)]
      if (!loaded.note(note)) client.endLate(props.callIds[source], times)
    },
  }))
  return fetchPageData(client, props.query, caller, recorded)
}
