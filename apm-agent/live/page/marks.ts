import type UPlot from 'uplot'
import { color } from './color.ts'
import type { Mark } from './points.ts'

/**
 * Draws a line with a name where another app begins, and a background for the duration of each fault.
 * @param font if absent, no names are drawn
 */
export function drawMarks({ ctx, bbox, valToPos }: UPlot, marks: readonly Mark[], font?: string): void {
  const ratio = devicePixelRatio
  const [left, right] = [bbox.left, bbox.left + bbox.width]
  const positionOf = (ms: number) => Math.min(right, Math.max(left, valToPos(ms / 1000, 'x', true)))
  ctx.save()
  ctx.lineWidth = 2 * ratio
  ctx.setLineDash([6 * ratio, 4 * ratio])
  if (font) ctx.font = font
  ctx.textAlign = 'left'
  ctx.textBaseline = 'bottom'
  let freeUntil = right
  // The latest mark comes first; if there is no room, the name of the mark before it is left out.
  for (const { atMs, untilMs, label } of marks.toReversed()) {
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
    const start = Math.min(x, right - width)
    if (!font || start + width > freeUntil) continue
    ctx.fillText(label, start, bbox.top - 2 * ratio)
    freeUntil = start - 12 * ratio
  }
  ctx.restore()
}
