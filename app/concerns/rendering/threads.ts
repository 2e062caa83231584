import { compactBytes } from '../../../lib/compact.ts'
import { WorkQueue } from '../../../lib/main-thread/work-queue.ts'
import { MESSAGES_PER_THREAD, RenderThreads } from '../../../render/main-thread/render-threads.ts'
import type { PageInput, PartCall, PartReply } from '../../../render/protocol.ts'
import { runJob } from '../../queued-job.ts'
import type { CreateRendering } from './contract.ts'
import { partOf } from './outcome.ts'

/** While many wait, this many travel together: each hop costs the main thread a thread to wake. */
const PARTS_PER_MESSAGE = 32

/**
 * A thread that gets no further for half of the time that a part may take is stuck: what waits behind a part that never
 * ends is to be rendered in time all the same. A thread that has just started, or has to share its core, is not stuck.
 */
const STUCK_SHARE = 1 / 2
const STUCK_AT_LEAST_MS = 500

/** On render threads: what comes back is one buffer a part, transferred. */
export const createRendering: CreateRendering = async ({
  threads,
  workerPriority,
  workerMemoryMib,
  rendererFile,
  partTimeoutMs,
}) => {
  const pool = new RenderThreads({
    size: threads,
    rendererFile,
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
  return {
    async render(context, { name, index, input }) {
      const call = { name, index, input: compact(input) }
      const { reply, askedAtMs } = await runJob(queue, context, call, 'PART_FAILED', input.envelope.deadline)
      return partOf(reply, askedAtMs)
    },
    lane: queue,
    readPool: async () => ({
      size: threads,
      queueLength: queue.length,
      threadCpuMicros: await pool.readCpuMicros(),
    }),
    kill: () => pool.kill(),
    close: () => pool.close(),
  }
}

const compacted = new WeakMap<PageInput, PageInput>()

/** The same input with compact data: one copy for all parts that share it. */
function compact(input: PageInput): PageInput {
  let copy = compacted.get(input)
  if (!copy) {
    const data = compactBytes(input.data)
    copy = data === input.data ? input : { ...input, data }
    compacted.set(input, copy)
  }
  return copy
}
