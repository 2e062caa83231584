import type UPlot from 'uplot'
import { labelFigure, labelTime, splitFigures, splitTime } from './axes.ts'
import { color } from './color.ts'
import type { Fit } from './fit.ts'

/** Sizes in em of the chart's font. */
const LEFT_EMS = 4.5
/** The axis of a band has room here. Charts without one leave it free, so that all end at the same place. */
const RIGHT_EMS = 3.2
const BELOW_EMS = 2.2

interface AxesOptions {
  readonly fontPixels: number
  readonly font: string
  /** The name of the color of the line in the band; undefined if there is no band. */
  readonly bandColor: string | undefined
  /** The values that are shown. */
  fit(): Fit
}

/** The space on both sides of a chart. */
export const sidesOf = (fontPixels: number) => ({
  left: fontPixels * LEFT_EMS,
  right: fontPixels * RIGHT_EMS,
})

export function createAxes({ fontPixels, font, bandColor, fit }: AxesOptions): UPlot.Axis[] {
  const { left, right } = sidesOf(fontPixels)
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
    size: left,
    splits: splitFigures(() => fontPixels * devicePixelRatio),
    // Without updates the scale has no meaning, so it has no labels.
    values: (_chart, splits) => (fit().columns[0].length > 0 ? splits.map(labelFigure) : []),
  }
  if (bandColor === undefined) return [time, figures]
  const band: UPlot.Axis = {
    ...axis,
    scale: 'band',
    side: 1,
    grid: { show: false },
    stroke: () => color(bandColor),
    size: right,
    splits: () => (fit().bandTop > 0 ? [fit().bandTop] : []),
    values: (_chart, splits) => splits.map(labelFigure),
  }
  return [time, figures, band]
}
