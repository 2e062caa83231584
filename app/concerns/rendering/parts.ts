import { record } from '../../../lib/record.ts'
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
    render: request => composePage(request, options, threads, piecesOf(request.query, request.nonce)),
    operated: operatedThreads(threads, size),
    close: () => threads.close(),
  }
}

/** @throws Problem of the summary, without which there is no page */
function composePage(
  request: PageRequest,
  options: RenderingOptions,
  threads: PageThreads,
  pieces: readonly Piece[],
): Promise<ComposedBody> {
  const { context } = request
  const data = fetchData(request, options)
  const times = { waitMs: 0, runMs: 0 }
  let unended = pieces.filter(piece => !(piece instanceof Uint8Array)).length
  const endPart = () => {
    if (--unended === 0) request.onEnd(times)
  }
  const compose = (part: PartPiece): ComposedPart => {
    const { name, fallback } = part
    const source = data[sources[name]]
    return {
      fallback,
      async make(isWanted) {
        const bytes = await source.bytes
        if (!isWanted()) throw new Problem('DEADLINE_PASSED')
        const props = { query: request.query, type: options.upstreamType, data: bytes, index: part.index }
        const html = await renderPart(threads, name, props, request, times)
        endPart()
        return html
      },
      late: () => new Problem(source.hasCome ? 'DEADLINE_PASSED' : 'UPSTREAM_TIMEOUT'),
      onFallback(error) {
        request.onMissing(name === 'Cards' ? 'orders' : 'recommendations', error)
        endPart()
      },
    }
  }
  const composed = pieces.map(piece => (piece instanceof Uint8Array ? piece : compose(piece)))
  return composeParts(composed, { partTimeoutMs: options.partTimeoutMs, isGone: () => context.gone })
}

/** Begins to fetch the data of a page, and notes what has come. */
function fetchData(request: PageRequest, { fetchPage }: RenderingOptions) {
  const fetched = fetchPage(request)
  return record(['orders', 'recommendations'] satisfies (keyof PageData)[], name => {
    const source = { bytes: fetched[name].then(compactBytes), hasCome: false }
    const arrive = () => {
      source.hasCome = true
    }
    // The parts that need it learn of an error.
    source.bytes.then(arrive, () => {})
    return source
  })
}

/** Renders a part, and adds its times to those of its page. */
async function renderPart(
  threads: PageThreads,
  component: PartName,
  props: Readonly<Record<string, unknown>>,
  { context, deadline }: PageRequest,
  times: { waitMs: number; runMs: number },
): Promise<Uint8Array> {
  const page = { url: component, component, props, mode: 'string' } as const
  try {
    const html = await makeBody(
      threads,
      { ...page, shellDeadline: deadline, pageDeadline: deadline },
      {
        client: context,
        rendered({ askedAtMs, startedAtMs, runMs }) {
          times.waitMs = Math.max(times.waitMs, startedAtMs - askedAtMs)
          times.runMs += runMs
        },
      },
    )
    return html as Buffer
  } catch (error) {
    throw problemOf(error)
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
