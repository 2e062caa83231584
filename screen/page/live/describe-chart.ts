import type { Update } from '../../live-messages.ts'
import { formatFigure } from '../format.ts'
import type { Line } from './line.ts'

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
