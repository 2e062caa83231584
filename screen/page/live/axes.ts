import type UPlot from 'uplot'
import { labelFigure, splitFigures } from '../scale.ts'
import { color } from './color.ts'

/** The size of the letters of `.area` in the style sheet. */
export const FONT_PIXELS = 15
/** @param ratio pixels of the canvas for one of the style sheet */
export const fontAt = (ratio: number): string => `${FONT_PIXELS * ratio}px Inter, system-ui, sans-serif`

/** A chart of this width has room for five times below it. */
const ROOM_FOR_FIVE_PIXELS = 31 * FONT_PIXELS

/** @param isEmpty whether there are no values: then the scale has no meaning, and no labels */
export function createAxes(isEmpty: () => boolean): UPlot.Axis[] {
  const axis = {
    font: fontAt(1),
    stroke: () => color('quiet'),
    grid: { stroke: () => color('line'), width: 1 },
    ticks: { show: false },
  }
  const time: UPlot.Axis = {
    ...axis,
    size: 2.2 * FONT_PIXELS,
    gap: 0.7 * FONT_PIXELS,
    splits: splitTime,
    values: labelTime,
  }
  const figures: UPlot.Axis = {
    ...axis,
    size: 4.5 * FONT_PIXELS,
    splits: splitFigures(() => FONT_PIXELS * devicePixelRatio),
    values: (_chart, splits) => (isEmpty() ? [] : splits.map(labelFigure)),
  }
  return [time, figures]
}

/** Five times, or three in a narrow chart, counted back from now. They stay in place while the lines move. */
function splitTime({ width }: UPlot, _axis: number, min: number, max: number): number[] {
  const parts = width < ROOM_FOR_FIVE_PIXELS ? 2 : 4
  return Array.from({ length: parts + 1 }, (_, index) => max - ((max - min) * (parts - index)) / parts)
}

function labelTime({ scales }: UPlot, splits: readonly number[]): string[] {
  const now = scales.x?.max ?? 0
  return splits.map(split => (now - split < 0.5 ? 'now' : `−${formatAgo(now - split)}`))
}

/** Minutes and seconds, such as `1:05`. */
export function formatAgo(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
