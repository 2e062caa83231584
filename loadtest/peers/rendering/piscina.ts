import { join } from 'node:path'
import { FixedQueue, Piscina } from 'piscina'
import type { CreateRendering, RenderingOptions } from '../../../app/concerns/rendering/contract.ts'
import { type PageRequest, within } from '../../../app/pages/page-data.ts'
import { Problem } from '../../../app/problems.ts'
import { onEnd } from '../../../app/server/ending.ts'
import { readThreads } from '../../../lib/os/usage.ts'
import { compactBytes } from '../../../lib/threads/envelope.ts'
import { monotonicMs } from '../../../lib/units.ts'
import type { PoolValues } from '../../../workers/options.ts'
import type { RenderedPage, RenderJob } from './piscina-thread.ts'

/**
 * React's stream in a thread of Piscina, whose task returns the whole page: a client gets its first byte when it is complete.
 */
export const createRendering: CreateRendering<
  RenderingOptions & PoolValues & { readonly pageFile?: string }
> = async options => {
  const { threads, workerPriority, workerMemoryMib, pageFile, upstreamType } = options
  const pool = new Piscina({
    filename: join(import.meta.dirname, 'piscina-thread.ts'),
    minThreads: threads,
    maxThreads: threads,
    taskQueue: new FixedQueue(),
    recordTiming: false,
    niceIncrement: workerPriority,
    resourceLimits: { maxOldGenerationSizeMb: workerMemoryMib },
    workerData: { pageFile, upstreamType },
  })

  const createPage = async (request: PageRequest) => {
    const { context, query, nonce, deadline, onMissing } = request
    const data = options.fetchPage(request)
    const recommendations = within(deadline, data.recommendations).then(compactBytes, (error: unknown) => {
      onMissing('recommendations', error)
      return null
    })
    const orders = compactBytes(await within(deadline, data.orders))
    const job: RenderJob = { query, nonce, deadline, orders, recommendations: await recommendations }
    if (context.gone) throw new Problem('CLIENT_GONE')
    const askedAtMs = monotonicMs()
    const page: RenderedPage = await pool.run(job, { name: 'renderPage' })
    for (const { part, code, cause } of page.missing) onMissing(part, new Problem(code, undefined, cause))
    if (page.problem) throw new Problem(page.problem.code, undefined, page.problem.cause)
    const { buffer } = page.html
    // The memory is freed once it was sent.
    onEnd(context, () => context.gone || buffer.transfer(0))
    return {
      html: Buffer.from(buffer),
      times: { waitMs: page.startedAtMs - askedAtMs, runMs: page.runMs },
    }
  }

  return {
    async render(request) {
      try {
        const { html, times } = await createPage(request)
        request.onEnd(times)
        return html
      } catch (error) {
        throw error instanceof Problem ? error : new Problem('PART_FAILED', undefined, error)
      }
    },
    operated: {
      // Piscina does not tell how long the first in line has waited.
      queue: { workers: threads, oldestWaitMs: () => 0 },
      readPool: async () => ({
        size: threads,
        queueLength: pool.queueSize,
        threadCpuMicros: await readThreads(pool.threads),
      }),
    },
    close: () => pool.destroy(),
  }
}
