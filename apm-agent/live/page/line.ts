import type UPlot from 'uplot'
import type { Update } from '../update.ts'
import { color } from './color.ts'

/** A line of a chart. */
export interface Line {
  /** The name of the color in the style sheet, such as `goodput` for `--goodput`. */
  readonly color: string
  readonly label: string
  read(update: Update): number | null | undefined
  readonly fill?: boolean
  readonly isDashed?: boolean
  /** Whether the line has a band of its own below the others, with a scale of its own. */
  readonly isInBand?: boolean
}

export const toSeries = ({ color: name, fill, isDashed, isInBand }: Line, width: number): UPlot.Series => ({
  scale: isInBand ? 'band' : 'y',
  stroke: () => color(name),
  width,
  points: { show: false },
  ...(isDashed && { dash: [6, 4] }),
  ...(fill && { fill: () => `color-mix(in srgb, ${color(name)} 18%, transparent)` }),
})
