import type { CallTimes } from '../lib/telemetry/call-times.ts'
import type { NoData, PageCall, PageInput, SourceName } from './protocol.ts'

/** Fetches the data of a page in a render thread. The app passes it in as a file. */
export interface PageData {
  /** Begins to fetch at once. It does not throw; the data may reject. */
  fetch(source: SourceName, call: Pick<PageCall, 'query' | 'envelope' | 'headers'>): Fetching
  /** The reason why there is no data, for the status of the page and for the log. */
  describe(error: unknown): Omit<NoData, 'kind'>
}

export interface Fetching {
  readonly data: Promise<Pick<PageInput, 'data' | 'type'>>
  /** Undefined until the data has settled, and if no call was made. */
  readonly times: CallTimes | undefined
  cancel(): void
}
