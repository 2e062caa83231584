import { setImmediate as turn } from 'node:timers/promises'
import { compactBytes } from '../../../lib/threads/envelope.ts'
import { makeBody } from '../../../render/main-thread/page-body.ts'
import { startPageThreads } from '../../../render/main-thread/page-threads.ts'
import type { PoolValues } from '../../../workers/options.ts'
import { problemOfNote, type ThreadPage } from '../../pages/in-thread.ts'
import {
  GRACE_MS,
  type PageData,
  type PageRequest,
  partWith,
  tracked,
  within,
} from '../../pages/page-data.ts'
import { freeWhenSent } from '../../server/ending.ts'
import { takeFaultyPage } from '../../server/faults/files.ts'
import { operatedThreads } from '../../server/operated.ts'
import { type CreateRendering, problemOf, type RenderingOptions } from './contract.ts'

interface ThreadsOptions extends RenderingOptions, PoolValues {
  /** The page of threads that fetch its data themselves. */
  readonly inThreads?: ThreadPage
}

/**
 * A page of React components takes most of the main thread while it is rendered. Here React streams it in a thread, and
 * the main thread passes on the bytes.
 */
export const createRendering: CreateRendering<ThreadsOptions> = async options => {
  const { threads, workerPriority, workerMemoryMib, partTimeoutMs, upstreamType: type } = options
  const page = options.inThreads ?? fetchingHere(options)
  takeFaultyPage(page, options)
  const renderer = await startPageThreads({
    app: page.module,
    appOptions: page.moduleOptions,
    threads,
    workerPriority,
    workerMemoryMib,
    shellTimeoutMs: partTimeoutMs,
    onError() {},
  })
  return {
    async render(request) {
      const { context, query, nonce, deadline, onMissing, onEnd } = request
      const data = await page.open(request)
      const lastMs = deadline + GRACE_MS
      const props = { query, type, deadline, ...data.props }
      const asked = { url: '/page', props, nonce, shellDeadline: lastMs, pageDeadline: lastMs }
      try {
        const body = await makeBody(renderer, asked, {
          client: context,
          missing: error => onMissing(partWith(error.componentStack), problemOf(error)),
          rendered: ({ askedAtMs, startedAtMs, runMs }) => onEnd({ waitMs: startedAtMs - askedAtMs, runMs }),
          over: data.onOver,
          notes: notes => notes.forEach(data.onNote),
        })
        if (body instanceof Buffer) freeWhenSent(body, context)
        return body
      } catch (error) {
        throw problemOf(error)
      }
    },
    operated: operatedThreads(renderer, threads, true),
    close: () => renderer.close(),
  }
}

/** The main thread fetches the data of the page. */
const fetchingHere = ({ fetchPage }: ThreadsOptions): ThreadPage => ({
  module: new URL('../../pages/in-thread.ts', import.meta.url),
  open: async request => ({
    props: await awaitOrders(fetchPage(request), request),
    onNote: note => request.onMissing('recommendations', problemOfNote(note)),
  }),
})

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
