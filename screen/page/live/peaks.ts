import type UPlot from 'uplot'
import { formatFigure } from '../format.ts'
import { color } from './color.ts'
import type { ColoredPeak } from './fit.ts'

const ARROW_EMS = 0.7
const GAP_EMS = 0.25

/**
 * Draws an arrow with its value at the upper edge of a chart for each peak above the scale. Of peaks that are close
 * together, only the largest has an arrow.
 */
export function drawPeaks(
  { ctx, bbox, valToPos }: UPlot,
  peaks: readonly ColoredPeak[],
  fontPixels: number,
  font: string,
): void {
  const em = fontPixels * devicePixelRatio
  const arrow = ARROW_EMS * em
  const gap = GAP_EMS * em
  const top = bbox.top + gap
  const right = bbox.left + bbox.width
  ctx.save()
  ctx.font = font
  ctx.textBaseline = 'top'
  ctx.lineJoin = 'round'
  ctx.lineWidth = em / 4
  ctx.strokeStyle = color('surface')
  const drawn: { readonly from: number; readonly to: number }[] = []
  for (const { time, value, color: name } of peaks.toSorted((one, other) => other.value - one.value)) {
    const text = formatFigure(value)
    const width = ctx.measureText(text).width + gap
    const x = valToPos(time, 'x', true)
    const isLeft = x + arrow + width > right
    const from = x - arrow / 2 - (isLeft ? width : 0)
    const to = from + arrow + width
    if (drawn.some(other => from < other.to + gap && other.from < to + gap)) continue
    drawn.push({ from, to })
    ctx.fillStyle = color(name)
    drawArrow(ctx, x, top, arrow)
    ctx.textAlign = isLeft ? 'left' : 'right'
    ctx.strokeText(text, isLeft ? from : to, top)
    ctx.fillText(text, isLeft ? from : to, top)
  }
  ctx.restore()
}

/** @param x the middle of the arrow */
function drawArrow(ctx: CanvasRenderingContext2D, x: number, top: number, size: number): void {
  ctx.beginPath()
  ctx.moveTo(x - size / 2, top + size)
  ctx.lineTo(x + size / 2, top + size)
  ctx.lineTo(x, top)
  ctx.closePath()
  ctx.stroke()
  ctx.fill()
}
