import { dot, type Markish, text } from '@observablehq/plot'
import { type Slice, slices } from '../spectrum/spectrum.ts'
import { sliceColors } from './palette.ts'
import { type Frame, widthOf } from './plot.ts'

/** A legend with the names of the slices in their colours, in as many lines as they need, above the frame of a plot. */
export function slicesLegend({ textPx, widthPx }: Frame, shown: ReadonlySet<Slice>) {
  const linePx = textPx * 1.5
  let [x, line] = [0, 0]
  const entries = slices
    .filter(slice => shown.has(slice))
    .map(slice => {
      const entryPx = widthOf(slice, textPx) + textPx * 1.9
      if (x > 0 && x + entryPx > widthPx) [x, line] = [0, line + 1]
      const entry = { slice, x, y: (line + 0.5) * linePx }
      x += entryPx
      return entry
    })
  const draw = (margins: { readonly marginLeft: number; readonly marginTop: number }): Markish[] =>
    entries.flatMap(({ slice, x, y }) => {
      const place = { frameAnchor: 'top-left', dy: y - margins.marginTop } as const
      const dx = x - margins.marginLeft
      return [
        dot([slice], {
          ...place,
          dx: dx + textPx / 2,
          symbol: 'square',
          r: textPx / 2,
          fill: sliceColors[slice].fill,
        }),
        text([slice], { ...place, dx: dx + textPx * 1.3, textAnchor: 'start', lineAnchor: 'middle' }),
      ]
    })
  return { draw, heightPx: (line + 1) * linePx }
}
