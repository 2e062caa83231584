import { terminalColumns } from './terminal.ts'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => string
}

const GAP = '  '

/**
 * Renders rows as text in columns, with a line of titles. The first column is aligned to the left, all others to the
 * right. Columns that do not fit into `width` characters follow below, again behind the first column.
 */
export function renderColumns<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number = terminalColumns() ?? Number.POSITIVE_INFINITY,
): string {
  const lines = [columns.map(({ title }) => title), ...rows.map(row => columns.map(({ cell }) => cell(row)))]
  const widths = columns.map((_, index) => Math.max(...lines.map(line => (line[index] as string).length)))
  const pad = (line: readonly string[]) => (index: number) => {
    const [cell, cellWidth] = [line[index] as string, widths[index] as number]
    return index === 0 ? cell.padEnd(cellWidth) : cell.padStart(cellWidth)
  }
  return groupColumns(widths, width)
    .map(group => lines.map(line => group.map(pad(line)).join(GAP)).join('\n'))
    .join('\n\n')
}

/** Groups the places of columns, so that each group fits. Every group begins with the first column. */
function groupColumns([first = 0, ...others]: readonly number[], width: number): number[][] {
  const groups = [[0]]
  let taken = first
  for (const [index, columnWidth] of others.entries()) {
    const group = groups.at(-1) as number[]
    const fits = taken + GAP.length + columnWidth <= width
    if (fits || group.length === 1) group.push(index + 1)
    else groups.push([0, index + 1])
    taken = (fits ? taken : first) + GAP.length + columnWidth
  }
  return groups
}

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

/** `renderColumns` for a terminal, `renderMarkdownTable` for Markdown. */
export type RenderTable = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]) => string

/** Stands above each table that has intervals. */
export const BRACKETS = 'In brackets: the 95 % interval, right in 19 of 20 runs.'
export const hasIntervals = (table: string) => /\[[\d.]+, [\d.]+\]/.test(table)

/** Renders tables below a line that says what the two numbers in brackets are. */
export const explained =
  (renderTable: RenderTable, explanation = BRACKETS): RenderTable =>
  (rows, columns) => {
    const table = renderTable(rows, columns)
    return hasIntervals(table) ? `${explanation}\n\n${table}` : table
  }
