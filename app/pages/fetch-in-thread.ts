import { type SentCalls, takeCalls } from '../../lib/telemetry/calls-of-thread.ts'
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

let page: PageModule
let client: ThreadClient

export async function setup({ page: url, upstream }: ThreadPageOptions): Promise<void> {
  page = await import(url)
  client = await createThreadClient(upstream)
}

export function load({ props, signal }: LoadRequest, loaded: LoadedPage): ReturnType<PageModule['load']> {
  const { calls, ...given } = props as unknown as PageProps & { readonly calls?: SentCalls<SourceName> }
  // A page that a fault asks for has no calls.
  if (!calls) return page.load({ props: given }, loaded)
  const taken = takeCalls(sourceNames, calls, signal, note => loaded.note(note), client.endLate)
  return page.load({ props: { ...given, ...fetchPageData(client, given.query, ...taken) } }, loaded)
}
