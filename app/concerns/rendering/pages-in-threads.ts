import { AsyncLocalStorage } from 'node:async_hooks'
import type { Outcome } from '../../../lib/main-thread/job.ts'
import { WorkQueue } from '../../../lib/main-thread/work-queue.ts'
import { record } from '../../../lib/record.ts'
import { PAGES_AT_ONCE } from '../../../render/main-thread/render-threads.ts'
import { unpackCalls } from '../../../render/packed-page.ts'
import { sourceNames } from '../../../render/protocol.ts'
import { runJob } from '../../queued-job.ts'
import type { InThreads } from '../upstream/contract.ts'
import type { PageMaking, PageRequest, PagesInThreads, PageThreads } from './contract.ts'

/** A page that waits for a thread, or is made in one. */
interface PageJob extends PageRequest {
  /** The first place that has not come. */
  from: number
  /** The places of parts that ended their thread. */
  readonly lost: number[]
  /** The slot in which the page is made; undefined while it waits. */
  slot: number | undefined
  /** Runs a function in the asynchronous context of the request: a page that waited is sent in that of another. */
  readonly inContext: ReturnType<typeof AsyncLocalStorage.snapshot>
}

const done: Outcome<undefined> = { kind: 'replies', replies: [undefined] }

/**
 * Makes each page as one job of a render thread. If the thread dies, the page is made again by the next one: its data is
 * fetched again, the parts that had come stay, and the part that was running falls back.
 */
export function createPagesInThreads(
  threads: PageThreads,
  size: number,
  beginCall: InThreads['begin'],
): PagesInThreads {
  const queue = new WorkQueue<PageJob, undefined>({
    workers: size,
    slots: PAGES_AT_ONCE,
    jobsPerMessage: 1,
    dispatch: ([job], slot) => dispatch(job as PageJob, slot),
  })

  async function dispatch(job: PageJob, slot: number): Promise<Outcome<undefined>> {
    const { context, query, partDeadline, taker, from, lost, inContext } = job
    if (taker.isOver) return done
    const { requestId, traceparent, deadline, span } = context
    const envelope = { requestId, traceparent, deadline }
    const calls = inContext(() => record(sourceNames, () => beginCall(span)))
    const headers = record(sourceNames, source => calls[source].headers)
    job.slot = slot
    const stay = context.onGone(() => threads.leavePage(slot, true))
    const outcome = await threads.dispatchPage(
      { envelope, partDeadline, query, headers, from, lost },
      slot,
      pieces => {
        job.from = pieces.until
        unpackCalls(pieces.calls, (source, times) => calls[source].end(times))
        taker.take(pieces)
      },
    )
    stay()
    job.slot = undefined
    for (const source of sourceNames) calls[source].drop()
    return outcome.kind === 'lost' ? recover(job, outcome.started) : outcome
  }

  const pages: PageMaking = {
    begin(page) {
      const inContext = AsyncLocalStorage.snapshot()
      const job: PageJob = { ...page, from: 0, lost: [], slot: undefined, inContext }
      return {
        done: runJob(queue, page.context, job, 'PART_FAILED', page.partDeadline).then(() => {}),
        awaits: source => job.slot !== undefined && threads.awaits(job.slot, source),
        abandon: () => {
          if (job.slot !== undefined) threads.leavePage(job.slot, false)
        },
      }
    },
  }
  return { pages, queue }
}

/** @param started the place of the part that was running when the thread died, counted from 1; 0 if none was */
function recover({ lost, taker }: PageJob, started: number): Outcome<undefined> {
  if (started > 0) {
    lost.push(started - 1)
    taker.lose(started - 1)
  }
  return taker.isOver ? done : { kind: 'lost', started: 0 }
}
