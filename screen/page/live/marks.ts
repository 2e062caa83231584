import type UPlot from 'uplot'
import { color } from './color.ts'
import type { Mark } from './points.ts'

/** The gap between two labels, in pixels. */
const GAP = 10

/**
 * Draws a line with a label where another app begins, and a background for the duration of each fault. Of labels that would
 * overlap, that of the latest app is drawn, or of the latest fault; the table of events has all.
 * @param font if absent, no labels are drawn
 */
export function drawMarks({ ctx, bbox, valToPos }: UPlot, marks: readonly Mark[], font?: string): void {
  const ratio = devicePixelRatio
  const right = bbox.left + bbox.width
  const positionOf = (ms: number) => Math.min(right, Math.max(bbox.left, valToPos(ms / 1000, 'x', true)))
  const drawn: { readonly left: number; readonly right: number }[] = []
  const isApp = ({ untilMs }: Mark) => Number(untilMs === undefined)
  const byWeight = (one: Mark, other: Mark) => isApp(other) - isApp(one) || other.atMs - one.atMs
  ctx.save()
  ctx.lineWidth = 2 * ratio
  ctx.setLineDash([6 * ratio, 4 * ratio])
  if (font) ctx.font = font
  ctx.textAlign = 'left'
  ctx.textBaseline = 'bottom'
  for (const { atMs, untilMs, label } of marks.toSorted(byWeight)) {
    const x = positionOf(atMs)
    ctx.strokeStyle = color(untilMs === undefined ? 'mark' : 'fault')
    ctx.fillStyle = ctx.strokeStyle
    if (untilMs !== undefined) {
      ctx.globalAlpha = 0.2
      ctx.fillRect(x, bbox.top, positionOf(untilMs) - x, bbox.height)
      ctx.globalAlpha = 1
    }
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    const { width } = ctx.measureText(label)
    const left = Math.min(x, right - width)
    const place = { left, right: left + width + GAP * ratio }
    if (!font || drawn.some(other => place.left < other.right && other.left < place.right)) continue
    ctx.fillText(label, left, bbox.top - 2 * ratio)
    drawn.push(place)
  }
  ctx.restore()
}
