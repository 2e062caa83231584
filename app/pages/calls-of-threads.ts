import { pathToFileURL } from 'node:url'
import { sendCalls } from '../../lib/telemetry/calls-of-thread.ts'
import type { PageFetching } from '../concerns/rendering/contract.ts'
import type { InThreads } from '../concerns/upstream/contract.ts'
import type { ThreadPageOptions } from './fetch-in-thread.ts'
import { sourceNames } from './sources.ts'

/** Lets render threads fetch the data of their pages. */
export const createFetching = ({ data, begin }: InThreads, pageFile: string): PageFetching => ({
  app: new URL('./fetch-in-thread.ts', import.meta.url),
  appOptions: { page: pathToFileURL(pageFile).href, upstream: data } satisfies ThreadPageOptions,
  open: ({ context }) => sendCalls(sourceNames, () => begin(context.span), context.deadline),
})
