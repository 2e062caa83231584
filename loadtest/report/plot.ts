import { type PlotOptions, plot } from '@observablehq/plot'
import { parseHTML } from 'linkedom'

/** A frame that plots are drawn in. Every plot is drawn once for each frame, so that its text has the right size. */
export interface Frame {
  readonly widthPx: number
  /** Height; undefined for a plot that is as high as its rows need. */
  readonly heightPx?: number
  readonly textPx: number
  /** Whether the frame is narrow: names are then above their rows instead of beside them. */
  readonly isNarrow: boolean
}

export const frames = {
  wide: { widthPx: 1120, textPx: 19, isNarrow: false },
  narrow: { widthPx: 342, textPx: 14, isNarrow: true },
} as const satisfies Record<string, Frame>

const { document } = parseHTML('<!doctype html><html><body></body></html>')

/** Width of a letter of a wide sans serif, in heights of text, so that nothing is cut off in another font. */
const letterWidths = [
  { letters: /[ijlI.,:;'|!]/g, em: 0.34 },
  { letters: /[frt \-()/[\]]/g, em: 0.44 },
  { letters: /[mwMW%@→µ]/g, em: 0.95 },
] as const
const OTHER_EM = 0.63

/** Upper limit for the width of a text, in pixels. */
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
  // Plot labels groups that have no role, which ARIA forbids. A plot is one image with one name.
  return (svg as unknown as { outerHTML: string }).outerHTML.replaceAll(/ aria-label="[^"]*"/g, '')
}

/** A scale of categories that may have the same name: the scale uses their numbers, and shows their names. */
export const rowScale = (names: readonly string[]) => ({
  type: 'band' as const,
  domain: names.map((_, index) => index),
  tickFormat: (index: number) => names[index] as string,
  label: null,
  tickSize: 0,
})

/** Places labels from the top, each as near to its value as it can be without overlapping another. */
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

/** Round numbers from zero up to a value, about `count` of them. */
export function roundTicks(max: number, count: number): number[] {
  const rough = max / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find(factor => factor * power >= rough) as number)
  return Array.from({ length: Math.floor(max / step + 1e-9) + 1 }, (_, index) => index * step)
}
