import { type PlotOptions, plot } from '@observablehq/plot'
import { parseHTML } from 'linkedom'

/** Where a plot is drawn. Every plot is drawn once for each, so that text is as large as it must be. */
export interface Frame {
  readonly widthPx: number
  /** Undefined: as high as the rows need. */
  readonly heightPx?: number
  readonly textPx: number
  /** Names then stand above what they name. */
  readonly isNarrow: boolean
}

export const frames = {
  wide: { widthPx: 1120, textPx: 19, isNarrow: false },
  narrow: { widthPx: 342, textPx: 14, isNarrow: true },
} as const satisfies Record<string, Frame>

const { document } = parseHTML('<!doctype html><html><body></body></html>')

/** Of a letter, in heights of text, in a wide sans serif: nothing is cut off where the font is another. */
const letterWidths = [
  { letters: /[ijlI.,:;'|!]/g, em: 0.34 },
  { letters: /[frt \-()/[\]]/g, em: 0.44 },
  { letters: /[mwMW%@→µ]/g, em: 0.95 },
] as const
const OTHER_EM = 0.63

/** How wide text may become, in pixels. */
export function widthOf(text: string, textPx: number): number {
  const known = letterWidths.map(({ letters, em }) => ({ count: text.match(letters)?.length ?? 0, em }))
  const others = known.reduce((left, { count }) => left - count, text.length)
  return textPx * known.reduce((sum, { count, em }) => sum + count * em, others * OTHER_EM)
}

/** @returns SVG */
export function draw(frame: Frame, options: PlotOptions): string {
  const svg = plot({
    document,
    width: frame.widthPx,
    ...(frame.heightPx !== undefined && { height: frame.heightPx }),
    ...options,
    style: { fontSize: `${frame.textPx}px`, fontFamily: 'inherit' },
  })
  return (svg as unknown as { outerHTML: string }).outerHTML
}

/** A scale of categories that may share a name: their numbers, shown as names. */
export const rowScale = (names: readonly string[]) => ({
  type: 'band' as const,
  domain: names.map((_, index) => index),
  tickFormat: (index: number) => names[index] as string,
  label: null,
  tickSize: 0,
})

/** As near to where they belong as they can be without one lying on another, from the top. */
export function placeLabels(wanted: readonly number[], leastPx: number, bottomPx: number): number[] {
  const placed = [...wanted]
  for (const [index, y] of wanted.entries()) {
    placed[index] = Math.max(y, (placed[index - 1] ?? 0) + leastPx)
  }
  for (let index = placed.length - 1, limit = bottomPx; index >= 0; index--) {
    placed[index] = Math.min(placed[index] as number, limit)
    limit = (placed[index] as number) - leastPx
  }
  return placed
}

/** Round numbers from zero up to a value, about as many as asked for. */
export function roundTicks(max: number, count: number): number[] {
  const rough = max / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find(factor => factor * power >= rough) as number)
  return Array.from({ length: Math.floor(max / step + 1e-9) + 1 }, (_, index) => index * step)
}
