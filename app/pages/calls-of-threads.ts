import { pathToFileURL } from 'node:url'
import { record } from '../../lib/record.ts'
import { unpackTimes } from '../../lib/telemetry/call-times.ts'
import type { PageFetching } from '../concerns/rendering/contract.ts'
import type { InThreads } from '../concerns/upstream/contract.ts'
import type { CallNote, FetchingProps, ThreadPageOptions } from './fetch-in-thread.ts'
import { type SourceName, sourceNames } from './sources.ts'

/** The thread fetches the data. The calls are recorded here, because upstream gets the ids of their spans. */
export const createFetching = ({ data, begin }: InThreads, pageFile: string): PageFetching => ({
  app: new URL('./fetch-in-thread.ts', import.meta.url),
  appOptions: { page: pathToFileURL(pageFile).href, upstream: data } satisfies ThreadPageOptions,
  open({ context }) {
    const calls = record(sourceNames, () => begin(context.span))
    return {
      props: {
        callDeadline: context.deadline,
        headers: record(sourceNames, source => calls[source].headers),
        callIds: record(sourceNames, source => calls[source].id),
      } satisfies FetchingProps,
      read(note) {
        const call = calls[sourceNames[(note as CallNote)[0]] as SourceName]
        call?.end(unpackTimes(note as CallNote, 1))
        return call !== undefined
      },
      over() {
        for (const source of sourceNames) calls[source].abandon(context.deadline)
      },
    }
  },
})
