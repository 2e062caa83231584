import type UPlot from 'uplot'
import { color } from './color.ts'
import type { ColoredPeak } from './fit.ts'
import { formatFigure } from './format.ts'
import { stackLabels } from './stack-labels.ts'

/** A chart has a row for values below its upper edge for each part of this height. */
const EMS_PER_ROW = 5
const ARROW_EMS = 0.7
const GAP_EMS = 0.25

/**
 * Draws an arrow with its value at the upper edge of a chart for each peak above the scale. Where there is no room, the
 * smaller of two values is left out.
 */
export function drawPeaks(
  { ctx, bbox, valToPos }: UPlot,
  peaks: readonly ColoredPeak[],
  fontPixels: number,
  font: string,
): void {
  const em = fontPixels * devicePixelRatio
  const arrow = ARROW_EMS * em
  ctx.save()
  ctx.font = font
  ctx.textAlign = 'left'
  ctx.textBaseline = 'top'
  ctx.lineJoin = 'round'
  ctx.lineWidth = em / 4
  ctx.strokeStyle = color('surface')
  const labels = peaks
    .toSorted((one, other) => one.time - other.time || one.value - other.value)
    .map(({ time, value, color: name }) => {
      const text = formatFigure(value)
      const width = arrow + GAP_EMS * em + ctx.measureText(text).width
      const x = valToPos(time, 'x', true) - bbox.left - arrow / 2
      const isLeft = x + width > bbox.width
      return { text, name, width, arrowX: x, isLeft, x: isLeft ? x + arrow - width : x }
    })
  const rows = Math.max(1, Math.floor(bbox.height / (EMS_PER_ROW * em)))
  const places = stackLabels(labels, bbox.width + arrow / 2, rows)
  for (const [index, { text, name, arrowX, isLeft, x }] of labels.entries()) {
    const row = places[index]?.row
    const top = bbox.top + ((row ?? 0) + 0.15) * em * 1.2
    ctx.fillStyle = color(name)
    drawArrow(ctx, bbox.left + arrowX, top, arrow)
    if (row === undefined) continue
    const left = bbox.left + (isLeft ? x : x + arrow + GAP_EMS * em)
    ctx.strokeText(text, left, top)
    ctx.fillText(text, left, top)
  }
  ctx.restore()
}

function drawArrow(ctx: CanvasRenderingContext2D, left: number, top: number, size: number): void {
  ctx.beginPath()
  ctx.moveTo(left, top + size)
  ctx.lineTo(left + size, top + size)
  ctx.lineTo(left + size / 2, top)
  ctx.closePath()
  ctx.stroke()
  ctx.fill()
}
