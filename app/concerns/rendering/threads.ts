import { join } from 'node:path'
import { compactBytes } from '../../../lib/compact.ts'
import { WorkQueue } from '../../../lib/main-thread/work-queue.ts'
import { MESSAGES_PER_THREAD, RenderThreads } from '../../../render/main-thread/render-threads.ts'
import type { PageInput, PartCall, PartReply } from '../../../render/protocol.ts'
import { runJob } from '../../queued-job.ts'
import type { CreateRendering } from './contract.ts'
import { partOf } from './outcome.ts'
import { createPagesInThreads } from './pages-in-threads.ts'

/** The file with which a render thread fetches the data of pages. */
const PAGE_DATA_FILE = join(import.meta.dirname, 'page-data.ts')

/**
 * Up to this number of waiting parts travel in one message, because for each message the main thread has to wake a
 * thread.
 */
const PARTS_PER_MESSAGE = 32

/**
 * A thread is stuck if it makes no progress for half of the time limit of a part. The limit is only half, so that the
 * parts that wait behind an endless part can still be rendered in time. The minimum keeps a thread that has just
 * started, or shares its core, from being taken for stuck.
 */
const STUCK_SHARE = 1 / 2
const STUCK_AT_LEAST_MS = 500

/**
 * A page of React components takes most of the main thread while it is rendered. Here its parts are rendered in threads,
 * each on its own, and the main thread passes on the bytes: a part comes back as one buffer, which is transferred.
 */
export const createRendering: CreateRendering = async ({
  threads,
  workerPriority,
  workerMemoryMib,
  rendererFile,
  upstreamInThreads,
  partTimeoutMs,
}) => {
  const pool = new RenderThreads({
    size: threads,
    rendererFile,
    pageData: upstreamInThreads && { file: PAGE_DATA_FILE, options: upstreamInThreads.data },
    priority: workerPriority,
    memoryMib: workerMemoryMib,
    stuckAfterMs: Math.max(STUCK_AT_LEAST_MS, partTimeoutMs * STUCK_SHARE),
  })
  await pool.ready()
  const queue = new WorkQueue<PartCall, PartReply>({
    workers: threads,
    slots: threads * MESSAGES_PER_THREAD,
    jobsPerMessage: PARTS_PER_MESSAGE,
    dispatch: (calls, slot) => pool.dispatch(calls, slot),
  })
  const whole = upstreamInThreads && createPagesInThreads(pool, threads, upstreamInThreads)
  return {
    ...(whole && { pages: whole.pages }),
    async render(context, { name, index, input }) {
      const call = { name, index, input: compact(input) }
      const { reply, askedAtMs } = await runJob(queue, context, call, 'PART_FAILED', input.envelope.deadline)
      return partOf(reply, askedAtMs)
    },
    queue: whole?.queue ?? queue,
    readPool: async () => ({
      size: threads,
      queueLength: queue.length + (whole?.queue.length ?? 0),
      threadCpuMicros: await pool.readCpuMicros(),
    }),
    kill: () => pool.kill(),
    close: () => pool.close(),
  }
}

const compacted = new WeakMap<PageInput, PageInput>()

/** The same input with compact data. All parts that share the input share one copy. */
function compact(input: PageInput): PageInput {
  let copy = compacted.get(input)
  if (!copy) {
    const data = compactBytes(input.data)
    copy = data === input.data ? input : { ...input, data }
    compacted.set(input, copy)
  }
  return copy
}
