import { compactBytes } from '../../../lib/threads/envelope.ts'
import {
  type ComposedBody,
  type ComposedPart,
  composeParts,
} from '../../../render/main-thread/composed-page.ts'
import { makeBody } from '../../../render/main-thread/page-body.ts'
import { startPageThreads } from '../../../render/main-thread/page-threads.ts'
import type { PageThreads } from '../../../render/main-thread/renderer-types.ts'
import type { PoolValues } from '../../../workers/options.ts'
import type { PageData, PageRequest } from '../../pages/page-data.ts'
import type { PageQuery } from '../../pages/view/data.ts'
import { renderWholePage } from '../../pages/whole-page.ts'
import { Problem } from '../../problems.ts'
import { operatedThreads } from '../../server/operated.ts'
import { type CreateRendering, problemOf, type RenderingOptions } from './contract.ts'

const PARTS = new URL('../../pages/parts.ts', import.meta.url)

type PartName = 'Summary' | 'Cards' | 'Recommendations'

const sources: Readonly<Record<PartName, keyof PageData>> = {
  Summary: 'orders',
  Cards: 'orders',
  Recommendations: 'recommendations',
}

/**
 * The page in parts, each of which a thread renders with renderToString, and the main thread puts together in page order:
 * the micro frontends of the talk. All static HTML was rendered at the start.
 */
export const createRendering: CreateRendering<RenderingOptions & PoolValues> = async options => {
  const { threads: size, workerPriority, workerMemoryMib, partTimeoutMs } = options
  const [piecesOf, threads] = await Promise.all([
    loadShells(),
    startPageThreads({
      app: PARTS,
      hasParts: true,
      threads: size,
      workerPriority,
      workerMemoryMib,
      shellTimeoutMs: partTimeoutMs,
      onError() {},
    }),
  ])
  return {
    render: request =>
      new PageOfParts(request, options, threads).compose(piecesOf(request.query, request.nonce)),
    operated: operatedThreads(threads, size),
    close: () => threads.close(),
  }
}

class PageOfParts {
  readonly #request: PageRequest
  readonly #options: RenderingOptions
  readonly #threads: PageThreads
  readonly #data: PageData
  readonly #arrived = new Set<keyof PageData>()
  readonly #times = { waitMs: 0, runMs: 0 }
  #unended = 0

  constructor(request: PageRequest, options: RenderingOptions, threads: PageThreads) {
    this.#request = request
    this.#options = options
    this.#threads = threads
    const data = options.fetchPage(request)
    this.#data = {
      orders: this.#arrive('orders', data.orders),
      recommendations: this.#arrive('recommendations', data.recommendations),
    }
  }

  /** @throws Problem of the summary, without which there is no page */
  compose(pieces: readonly Piece[]): Promise<ComposedBody> {
    const { context } = this.#request
    const composed = pieces.map(piece => (piece instanceof Uint8Array ? piece : this.#part(piece)))
    this.#unended = composed.filter(piece => !(piece instanceof Uint8Array)).length
    return composeParts(composed, {
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

  #part(part: PartPiece): ComposedPart {
    const { name, fallback } = part
    const source = sources[name]
    return {
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
        this.#request.onMissing(missing, error)
        this.#endPart()
      },
    }
  }

  async #render({ name, index }: PartPiece, data: Uint8Array): Promise<Uint8Array> {
    const { context, query, deadline } = this.#request
    const part = {
      url: name,
      component: name,
      props: { query, type: this.#options.upstreamType, data, index },
      mode: 'string',
      shellDeadline: deadline,
      pageDeadline: deadline,
    } as const
    try {
      const html = await makeBody(this.#threads, part, {
        client: context,
        rendered: ({ askedAtMs, startedAtMs, runMs }) => {
          this.#times.waitMs = Math.max(this.#times.waitMs, startedAtMs - askedAtMs)
          this.#times.runMs += runMs
        },
      })
      return html as Buffer
    } catch (error) {
      throw problemOf(error)
    }
  }

  #endPart(): void {
    if (--this.#unended === 0) this.#request.onEnd(this.#times)
  }
}

/** A part of a page, and its number among the parts of the same name. Without a fallback it is required. */
interface PartPiece {
  readonly name: PartName
  readonly index: number
  readonly fallback: Uint8Array | undefined
}

type Piece = Uint8Array | PartPiece

const NONCE = 'the-nonce'
const slots = new RegExp(`<template data-slot="(\\w+)"></template>|(${NONCE})`)

const missingOrders = Buffer.from('<li class="fallback">The orders are not here yet.</li>')

/**
 * Renders the HTML that all pages have.
 * @returns a function that makes the pieces of a page, in page order
 */
async function loadShells(): Promise<(query: PageQuery, nonce: string) => Piece[]> {
  const { assets, ORDERS_PER_PART, Recommendations, react, Shell } = await import('../../pages/parts.ts')
  const shell = renderWholePage({ default: Shell, react }, { assets }, NONCE)
    .split(slots)
    .filter(piece => piece !== undefined)
    .map(piece => (piece === NONCE || /^[A-Z]\w+$/.test(piece) ? piece : Buffer.from(piece)))
  const none = { query: {} as PageQuery, type: '' as never, data: null, index: 0 }
  const missing = Buffer.from(react.renderToString(react.createElement(Recommendations, none)))
  const partsNamed = (name: PartName, { orders }: PageQuery): PartPiece[] => {
    if (name !== 'Cards') return [{ name, index: 0, fallback: name === 'Summary' ? undefined : missing }]
    const parts = Math.max(1, Math.ceil(orders / ORDERS_PER_PART))
    return Array.from({ length: parts }, (_, index) => ({ name, index, fallback: missingOrders }))
  }
  return (query, nonce) =>
    shell.flatMap((piece): Piece[] => {
      if (typeof piece !== 'string') return [piece]
      return piece === NONCE ? [Buffer.from(nonce)] : partsNamed(piece as PartName, query)
    })
}
