import type UPlot from 'uplot'
import { color } from './color.ts'
import type { Line } from './line.ts'

/** How uPlot draws a line. @param width in pixels */
export const toSeries = ({ color: name, fill, isDashed, isInBand }: Line, width: number): UPlot.Series => ({
  scale: isInBand ? 'band' : 'y',
  stroke: () => color(name),
  width,
  points: { show: false },
  ...(isDashed && { dash: [6, 4] }),
  ...(fill && { fill: () => `color-mix(in srgb, ${color(name)} 18%, transparent)` }),
})
