import { fileURLToPath } from 'node:url'
import type { PageFetching } from '../concerns/rendering/contract.ts'
import type { Serialization } from '../concerns/serialization/contract.ts'
import type { InThreads, Upstream } from '../concerns/upstream/contract.ts'

/** The concern whose implementation lets workers make the answers. */
export type AnsweringConcern = 'serialization' | 'upstream'

/** The modules with which workers make whole answers, by that concern. */
const makers: Readonly<Record<string, URL>> = {
  serialization: new URL('./in-worker.ts', import.meta.url),
  upstream: new URL('./in-fetching-thread.ts', import.meta.url),
}

/** What lets render threads fetch the data of pages, by the concern whose implementation lets them. */
const fetchers: Readonly<Record<string, () => Promise<{ createFetching: CreateFetching }>>> = {
  upstream: () => import('../pages/calls-of-threads.ts'),
}

type CreateFetching = (inThreads: InThreads, pageFile: string) => PageFetching

/** Lets render threads fetch the data of pages; undefined if the main thread fetches it. */
export async function chooseFetching(
  { inThreads }: Upstream,
  pageFile: string,
): Promise<PageFetching | undefined> {
  return inThreads && (await fetchers.upstream?.())?.createFetching(inThreads, pageFile)
}

/** Chooses who makes answers in workers: the concern that can fetch the data, else the one that can encode them. */
export function chooseMaker(
  { byWorkers }: Serialization,
  { inThreads }: Upstream,
  canFetch: boolean,
): AnsweringConcern | undefined {
  if (inThreads && canFetch) return 'upstream'
  return byWorkers ? 'serialization' : undefined
}

/** The file of a maker; undefined without one. */
export const makerFile = (name: AnsweringConcern | undefined): string | undefined =>
  name && makers[name] && fileURLToPath(makers[name])
