import { compactBytes } from '../../../lib/threads/compact.ts'
import { pageThread } from '../../../render/main-thread/page-thread.ts'
import { startRenderThreads } from '../../../render/main-thread/queued-threads.ts'
import type { PageInput, PartCall } from '../../../render/protocol.ts'
import { runJob } from '../../queued-job.ts'
import type { CreateRendering } from './contract.ts'
import { partOf } from './outcome.ts'

/**
 * A page of React components takes most of the main thread while it is rendered. Here its parts are rendered in threads,
 * each on its own, and the main thread passes on the bytes: a part comes back as one buffer, which is transferred.
 */
export const createRendering: CreateRendering = async ({
  threads,
  workerPriority,
  workerMemoryMib,
  rendererFile,
  fetching,
  partTimeoutMs,
}) => {
  const { pool, queue } = await startRenderThreads<PartCall>({
    size: threads,
    thread: pageThread(rendererFile, fetching?.dataFile),
    priority: workerPriority,
    memoryMib: workerMemoryMib,
    partTimeoutMs,
  })
  const whole = fetching?.makePages(pool, threads)
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
