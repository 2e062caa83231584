import type UPlot from 'uplot'
import { color } from './color.ts'
import type { Mark } from './points.ts'
import { type LabelPlace, stackLabels } from './stack-labels.ts'

/** A mark with the place of its label. */
export type PlacedMark = Mark & LabelPlace

interface Room {
  readonly fromMs: number
  readonly untilMs: number
  readonly widthPixels: number
  readonly rows: number
  readonly font: string
}

/** Places the labels of marks above a chart. */
export function placeMarks(
  { ctx }: UPlot,
  marks: readonly Mark[],
  { fromMs, untilMs, widthPixels, rows, font }: Room,
): PlacedMark[] {
  ctx.save()
  ctx.font = font
  const labels = marks.map(({ atMs, label }) => ({
    x: (Math.max(0, atMs - fromMs) / (untilMs - fromMs)) * widthPixels,
    width: ctx.measureText(label).width,
  }))
  ctx.restore()
  const places = stackLabels(labels, widthPixels, rows)
  return marks.map((mark, index) => ({ ...mark, ...(places[index] as LabelPlace) }))
}

/**
 * Draws a line with a label where another app begins, and a background for the duration of each fault. The labels
 * stand in rows above the chart.
 * @param rowPixels height of a row
 * @param font if absent, no labels are drawn
 */
export function drawMarks(
  { ctx, bbox, valToPos }: UPlot,
  marks: readonly PlacedMark[],
  rowPixels: number,
  font?: string,
): void {
  const ratio = devicePixelRatio
  const right = bbox.left + bbox.width
  const bottom = bbox.top + bbox.height
  const positionOf = (ms: number) => Math.min(right, Math.max(bbox.left, valToPos(ms / 1000, 'x', true)))
  ctx.save()
  ctx.lineWidth = 2 * ratio
  ctx.setLineDash([6 * ratio, 4 * ratio])
  if (font) ctx.font = font
  ctx.textAlign = 'left'
  ctx.textBaseline = 'bottom'
  for (const { atMs, untilMs, label, left, row } of marks) {
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
    ctx.lineTo(x, bottom)
    ctx.stroke()
    if (!font || row === undefined) continue
    ctx.fillText(label, bbox.left + left * ratio, bbox.top - (row * rowPixels + 2) * ratio)
  }
  ctx.restore()
}
