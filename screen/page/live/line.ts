import type { Update } from '../../live-messages.ts'

/** A line of a chart. */
export interface Line {
  /** The name of the color in the style sheet, such as `goodput` for `--goodput`. */
  readonly color: string
  readonly label: string
  /** The name of the line in the caption of its chart, beside its color; absent if it is the only line. */
  readonly key?: string
  read(update: Update): number | null | undefined
  readonly fill?: boolean
  readonly isDashed?: boolean
  /** Whether the line has a band of its own below the others, with a scale of its own. */
  readonly isInBand?: boolean
}
