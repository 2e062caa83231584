import { join } from 'node:path'
import { compactBytes } from '../../../lib/threads/compact.ts'
import { type ComposedPart, composeParts } from '../../../render/main-thread/composed-page.ts'
import type { PageStream } from '../../../render/main-thread/page-stream.ts'
import { startRenderThreads } from '../../../render/main-thread/queued-threads.ts'
import type { PageData, PageRequest } from '../../pages/sources.ts'
import { Problem, toProblem } from '../../problems.ts'
import { runJob } from '../../queued-job.ts'
import type { CreateRendering, RenderingOptions } from './contract.ts'
import { loadShells, type PartName, type Piece } from './shells.ts'

const PARTS_FILE = join(import.meta.dirname, '../../pages/parts.ts')

/** The data from which each part is made. */
const sources: Readonly<Record<PartName, keyof PageData>> = {
  Summary: 'orders',
  Cards: 'orders',
  Recommendations: 'recommendations',
}

type Threads = Awaited<ReturnType<typeof startRenderThreads>>

/**
 * The page in parts, each of which a thread renders with renderToString, and the main thread puts together in page order:
 * the micro frontends of the talk. All static HTML was rendered at the start.
 */
export const createRendering: CreateRendering = async options => {
  const { threads: size, workerPriority: priority, workerMemoryMib: memoryMib, partTimeoutMs } = options
  const [piecesOf, threads] = await Promise.all([
    loadShells(),
    startRenderThreads({ partsFile: PARTS_FILE, size, priority, memoryMib, partTimeoutMs }),
  ])
  const { pool, queue } = threads
  return {
    render: request =>
      new PageOfParts(request, options, threads).compose(piecesOf(request.query, request.nonce)),
    threads: pool,
    queue,
    readPool: async () => ({
      size,
      queueLength: queue.length,
      threadCpuMicros: await pool.readCpuMicros(),
    }),
    close: () => pool.close(),
  }
}

class PageOfParts {
  readonly #request: PageRequest
  readonly #options: RenderingOptions
  readonly #threads: Threads
  readonly #data: PageData
  readonly #arrived = new Set<keyof PageData>()
  readonly #times = { waitMs: 0, runMs: 0 }
  #unended = 0

  constructor(request: PageRequest, options: RenderingOptions, threads: Threads) {
    this.#request = request
    this.#options = options
    this.#threads = threads
    const data = options.page.open(request).props
    this.#data = {
      orders: this.#arrive('orders', data.orders),
      recommendations: this.#arrive('recommendations', data.recommendations),
    }
  }

  /** @throws Problem of the summary, without which there is no page */
  compose(pieces: readonly Piece[]): Promise<PageStream> {
    const { context } = this.#request
    const composed = pieces.map(piece => (piece instanceof Uint8Array ? piece : this.#part(piece)))
    this.#unended = composed.filter(piece => !(piece instanceof Uint8Array)).length
    return composeParts(composed, {
      held: { bytes: 0 },
      partTimeoutMs: this.#options.partTimeoutMs,
      isGone: () => context.gone,
    })
  }

  #arrive(source: keyof PageData, data: Promise<Uint8Array>): Promise<Uint8Array> {
    const arrived = data.then(bytes => {
      this.#arrived.add(source)
      return compactBytes(bytes)
    })
    // The parts that need it learn of an error.
    arrived.catch(() => {})
    return arrived
  }

  #part(part: Exclude<Piece, Uint8Array>): ComposedPart {
    const { name, fallback } = part
    const source = sources[name]
    return {
      typicalBytes: 0,
      fallback,
      make: async isWanted => {
        const data = await this.#data[source]
        if (!isWanted()) throw new Problem('DEADLINE_PASSED')
        const html = await this.#render(part, data)
        this.#endPart()
        return html
      },
      late: () => new Problem(this.#arrived.has(source) ? 'DEADLINE_PASSED' : 'UPSTREAM_TIMEOUT'),
      onFallback: error => {
        const missing = name === 'Cards' ? 'orders' : 'recommendations'
        this.#request.onMissing(missing, toProblem(error))
        this.#endPart()
      },
    }
  }

  async #render({ name, index }: Exclude<Piece, Uint8Array>, data: Uint8Array): Promise<Uint8Array> {
    const { context, query, deadline } = this.#request
    const { requestId, traceparent } = context
    const props = { query, type: this.#options.upstreamType, data, index }
    const call = { name, input: { envelope: { requestId, traceparent, deadline }, props } }
    const done = await runJob(this.#threads.queue, context, call, 'PART_FAILED', deadline)
    const { reply } = done
    if (reply.kind === 'html') {
      this.#times.waitMs = Math.max(this.#times.waitMs, reply.startedAtMs - done.askedAtMs)
      this.#times.runMs += reply.runMs
      return reply.html
    }
    if (reply.kind === 'expired') throw new Problem('DEADLINE_PASSED')
    if (reply.kind === 'not sent') throw new Problem('INTERNAL_ERROR', undefined, reply.message)
    const code = reply.stack.startsWith(UPSTREAM_FAILED) ? 'UPSTREAM_FAILED' : 'PART_FAILED'
    throw new Problem(code, undefined, `${reply.stack}\nComponents:${reply.componentStack ?? ' none'}`)
  }

  #endPart(): void {
    if (--this.#unended === 0) this.#request.onEnd(this.#times)
  }
}

/** The beginning of the stack of this problem, which loses its code on its way from a thread. */
const UPSTREAM_FAILED = `Problem: ${new Problem('UPSTREAM_FAILED').message}`
