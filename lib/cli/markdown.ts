import type { Column } from './columns.ts'

/**
 * Renders rows as a Markdown table that is also readable as text. The first column is aligned to the left, all others
 * to the right.
 */
export function renderMarkdownTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const lines = [
    columns.map(({ title }) => title),
    ...rows.map(row => columns.map(({ cell }) => cell(row).trim())),
  ]
  const widths = columns.map((_, index) => Math.max(3, ...lines.map(line => (line[index] as string).length)))
  const width = (index: number) => widths[index] as number
  const pad = (cell: string, index: number) =>
    index === 0 ? cell.padEnd(width(index)) : cell.padStart(width(index))
  const rule = columns.map((_, index) =>
    index === 0 ? '-'.repeat(width(index)) : `${'-'.repeat(width(index) - 1)}:`,
  )
  const [titles, ...cells] = lines.map(line => line.map(pad))
  return [titles as string[], rule, ...cells].map(line => `| ${line.join(' | ')} |`).join('\n')
}

/**
 * Replaces the text between `<!-- NAME -->` and `<!-- /NAME -->`, which stand on lines of their own, by `content`.
 * @throws RangeError when the text lacks these markers
 */
export function replaceBetweenMarkers(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`]
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new RangeError(`there is no ${start.trim()} … ${end}`)
  return `${text.slice(0, from + start.length)}\n${content}\n\n${text.slice(to)}`
}
