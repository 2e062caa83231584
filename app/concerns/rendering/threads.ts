import { setImmediate as turn } from 'node:timers/promises'
import { compactBytes } from '../../../lib/threads/envelope.ts'
import { makeBody } from '../../../render/main-thread/page-body.ts'
import { startPageThreads } from '../../../render/main-thread/page-threads.ts'
import type { PoolValues } from '../../../workers/options.ts'
import { GRACE_MS, tracked, within } from '../../pages/content.ts'
import { partWith } from '../../pages/missing-parts.ts'
import type { PageData, PageRequest, PageSource } from '../../pages/sources.ts'
import { operatedThreads } from '../../server/operated.ts'
import type { CreateRendering, RenderingOptions } from './contract.ts'
import { problemOf } from './render-threads.ts'

/** A page that its threads may get in another way than the main thread. */
interface ThreadsOptions extends RenderingOptions, PoolValues {
  readonly page: PageSource & {
    readonly inThreads?: PageSource<object> & { readonly moduleOptions?: unknown }
  }
}

/**
 * A page of React components takes most of the main thread while it is rendered. Here React streams it in a thread, and
 * the main thread passes on the bytes.
 */
export const createRendering: CreateRendering<ThreadsOptions> = async options => {
  const { threads, workerPriority, workerMemoryMib, partTimeoutMs, upstreamType: type, page } = options
  const { module, moduleOptions, open } = page.inThreads ?? { moduleOptions: undefined, ...page }
  const renderer = await startPageThreads({
    app: module,
    appOptions: moduleOptions,
    threads,
    workerPriority,
    workerMemoryMib,
    shellTimeoutMs: partTimeoutMs,
    onError() {},
  })
  return {
    async render(request) {
      const { context, query, nonce, deadline, onMissing, onEnd } = request
      const data = open(request)
      const sent = 'orders' in data.props ? await awaitOrders(data.props as PageData, request) : data.props
      const lastMs = deadline + GRACE_MS
      const props = { query, type, deadline, ...sent }
      const page = { url: '/page', props, nonce, shellDeadline: lastMs, pageDeadline: lastMs }
      try {
        const body = await makeBody(renderer, page, {
          client: context,
          missing: error => onMissing(partWith(error.componentStack), problemOf(error)),
          rendered: ({ askedAtMs, startedAtMs, runMs }) => onEnd({ waitMs: startedAtMs - askedAtMs, runMs }),
          over: data.onOver,
          notes: notes => notes.forEach(data.onNote),
        })
        if (body instanceof Buffer)
          context.onEnd(() => context.gone || (body.buffer as ArrayBuffer).transfer(0))
        return body
      } catch (error) {
        throw problemOf(error)
      }
    },
    operated: operatedThreads(renderer, threads, true),
    close: () => renderer.close(),
  }
}

/** A page without orders needs no thread. What comes later than the orders is passed on as it comes. */
async function awaitOrders(data: PageData, { deadline, onMissing }: PageRequest) {
  const recommendations = tracked(
    data.recommendations.then(compactBytes).catch((error: unknown) => {
      onMissing('recommendations', error)
      return null
    }),
  )
  const orders = compactBytes(await within(deadline, data.orders))
  // Upstream often answers both calls in one turn of the event loop.
  if (!recommendations.status) await turn()
  return { orders, recommendations: recommendations.status ? recommendations.value : recommendations }
}
