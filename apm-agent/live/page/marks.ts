import type UPlot from 'uplot'
import { color } from './color.ts'
import type { Mark } from './points.ts'

/** A line where another app begins, and its name above. @param font none, and no names */
export function drawMarks({ ctx, bbox, valToPos }: UPlot, marks: readonly Mark[], font?: string): void {
  const ratio = devicePixelRatio
  ctx.save()
  ctx.strokeStyle = color('mark')
  ctx.fillStyle = color('mark')
  ctx.lineWidth = 2 * ratio
  ctx.setLineDash([6 * ratio, 4 * ratio])
  if (font) ctx.font = font
  ctx.textAlign = 'left'
  ctx.textBaseline = 'bottom'
  let freeUntil = bbox.left + bbox.width
  // The latest first: where there is no room, the name of the one before is left out.
  for (const { atMs, label } of marks.toReversed()) {
    const x = valToPos(atMs / 1000, 'x', true)
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    const { width } = ctx.measureText(label)
    const left = Math.min(x, bbox.left + bbox.width - width)
    if (!font || left + width > freeUntil) continue
    ctx.fillText(label, left, bbox.top - 2 * ratio)
    freeUntil = left - 12 * ratio
  }
  ctx.restore()
}
