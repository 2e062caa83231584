import type UPlot from 'uplot'
import { labelFigure, splitFigures } from '../scale.ts'
import { color } from './color.ts'

/** Sizes in em of the chart's font. */
const LEFT_EMS = 4.5
const BELOW_EMS = 2.2
/** A chart of this width has room for five times below it. */
const ROOM_FOR_FIVE_EMS = 31

/** @param isEmpty whether there are no values: then the scale has no meaning, and no labels */
export function createAxes(fontPixels: number, font: string, isEmpty: () => boolean): UPlot.Axis[] {
  const axis = {
    font,
    stroke: () => color('quiet'),
    grid: { stroke: () => color('line'), width: 1 },
    ticks: { show: false },
  }
  const time: UPlot.Axis = {
    ...axis,
    size: fontPixels * BELOW_EMS,
    gap: fontPixels * 0.7,
    splits: splitTime(fontPixels),
    values: labelTime,
  }
  const figures: UPlot.Axis = {
    ...axis,
    size: fontPixels * LEFT_EMS,
    splits: splitFigures(() => fontPixels * devicePixelRatio),
    values: (_chart, splits) => (isEmpty() ? [] : splits.map(labelFigure)),
  }
  return [time, figures]
}

/** Five times, or three in a narrow chart, counted back from now. They stay in place while the lines move. */
const splitTime =
  (fontPixels: number) =>
  ({ width }: UPlot, _axis: number, min: number, max: number): number[] => {
    const parts = width < ROOM_FOR_FIVE_EMS * fontPixels ? 2 : 4
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
