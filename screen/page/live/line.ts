import type { Update } from '../../live-messages.ts'
import { formatFigure } from '../scale.ts'

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
}

/** Describes a chart for readers who cannot see it. */
export function describeChart(lines: readonly Line[], updates: readonly Update[], rangeMs: number): string {
  const sentences = lines.flatMap(({ label, read }) => {
    const values = updates.flatMap(update => read(update) ?? [])
    if (values.length === 0) return []
    const [now, least, most] = [values.at(-1), Math.min(...values), Math.max(...values)].map(formatFigure)
    return `${label}: ${now} now, between ${least} and ${most}`
  })
  const told = sentences.length > 0 ? sentences.join('. ') : 'Nothing yet'
  return `The last ${rangeMs / 60_000} minutes. ${told}.`
}
