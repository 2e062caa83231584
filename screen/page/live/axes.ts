import type UPlot from 'uplot'
import { scaleOf } from '../nice-max.ts'

/** A chart of this width in em has room for five times below it. */
const ROOM_FOR_FIVE_EMS = 31

/** The height of an axis label with its distance to the next, in em. */
const LABEL_EMS = 1.5

/**
 * The divisions of a scale from zero on, as many as there is room for. Its end always has a label.
 * @param readEm size of the font in pixels of the canvas
 */
export const splitFigures =
  (readEm: () => number) =>
  ({ bbox }: UPlot, _axis: number, min: number, max: number): number[] => {
    const roomPixels = (bbox.height * max) / (max - min)
    const { parts: wanted } = scaleOf(max)
    const parts = roomPixels < wanted * LABEL_EMS * readEm() ? 1 : wanted
    const below = Array.from({ length: parts }, (_, index) => (max * index) / parts)
    return [...below, max]
  }

/** The share of a chart's height that is for a band below the other lines, and the empty part of it. */
const BAND = 0.26
const BAND_GAP = 0.08

/** The scale of the lines above a band: zero is above the band. */
export const aboveBand = (max: number): [number, number] => [(-max * BAND) / (1 - BAND), max]

/** The scale of the lines in the band: `max` is at the upper edge of the band, and most of the scale is not shown. */
export const inBand = (max: number): [number, number] => [0, max / (BAND - BAND_GAP)]

/** Five times, or three in a narrow chart, counted back from now. They stay in place while the lines move. */
export const splitTime =
  (fontPixels: number) =>
  ({ width }: UPlot, _axis: number, min: number, max: number): number[] => {
    const parts = width < ROOM_FOR_FIVE_EMS * fontPixels ? 2 : 4
    return Array.from({ length: parts + 1 }, (_, index) => max - ((max - min) * (parts - index)) / parts)
  }

export function labelTime({ scales }: UPlot, splits: readonly number[]): string[] {
  const now = scales.x?.max ?? 0
  return splits.map(split => (now - split < 0.5 ? 'now' : `−${formatAgo(now - split)}`))
}

/** Minutes and seconds, such as `1:05`. */
export function formatAgo(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

export const labelFigure = (figure: number): string =>
  figure.toLocaleString('en', { maximumSignificantDigits: 3 })
