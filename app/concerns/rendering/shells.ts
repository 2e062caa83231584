import type { PageQuery } from '../../pages/view/data.ts'
import { renderWholePage } from '../../pages/whole-page.ts'

export type PartName = 'Summary' | 'Cards' | 'Recommendations'

/** A part of a page, and its number among the parts of the same name. Without a fallback it is required. */
interface PartPiece {
  readonly name: PartName
  readonly index: number
  readonly fallback: Uint8Array | undefined
}

export type Piece = Uint8Array | PartPiece

const NONCE = 'the-nonce'
const slots = new RegExp(`<template data-slot="(\\w+)"></template>|(${NONCE})`)

const missingOrders = Buffer.from('<li class="fallback">The orders are not here yet.</li>')

/**
 * Renders the HTML that all pages have.
 * @returns a function that makes the pieces of a page, in page order
 */
export async function loadShells(): Promise<(query: PageQuery, nonce: string) => Piece[]> {
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
