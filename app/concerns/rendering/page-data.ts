import type { CallTimes } from '../../../lib/telemetry/call-times.ts'
import { Departure } from '../../../lib/threads/departure.ts'
import type { MediaType } from '../../../orders/order.ts'
import type { Fetching, PageData } from '../../../render/page-data.ts'
import { describeCause, toProblem } from '../../problems.ts'
import type { Caller, ThreadData } from '../upstream/contract.ts'
import { createThreadClient } from '../upstream/in-thread.ts'
import { createSources } from './sources.ts'

/** Fetches the data of pages in a render thread. */
export async function createPageData(upstream: ThreadData): Promise<PageData> {
  const sources = createSources(await createThreadClient(upstream), upstream.accept as MediaType)
  return {
    fetch(source, { query, envelope, headers }): Fetching {
      const caller = new PageCaller(envelope.deadline, headers[source])
      const data = sources[source](query, caller)
      return {
        data,
        get times() {
          return caller.times
        },
        cancel: () => caller.leave(),
      }
    },
    describe(error) {
      const problem = toProblem(error)
      return { code: problem.code, cause: describeCause(problem) as string }
    },
  }
}

/** The request for which a page is made, as the client of the upstream sees it. */
class PageCaller extends Departure implements Caller {
  readonly deadline: number
  readonly headers: NonNullable<Caller['headers']>
  /** Undefined until the call has ended, and if no call was made. */
  times: CallTimes | undefined

  constructor(deadline: number, headers: NonNullable<Caller['headers']>) {
    super()
    this.deadline = deadline
    this.headers = headers
  }

  onCalled(times: CallTimes): void {
    this.times = times
  }
}
