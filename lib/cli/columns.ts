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
  const { lines, widths, pad } = measureCells(rows, columns)
  return groupColumns(widths, width)
    .map(group =>
      lines.map(line => group.map(index => pad(line[index] as string, index)).join(GAP)).join('\n'),
    )
    .join('\n\n')
}

/** The cells of a table, in lines, of which the first has the titles, and how wide each column is. */
function measureCells<Row>(rows: readonly Row[], columns: readonly Column<Row>[], least = 0) {
  const lines = [columns.map(({ title }) => title), ...rows.map(row => columns.map(({ cell }) => cell(row)))]
  const widths = columns.map((_, index) => Math.max(least, ...lines.map(line => line[index]?.length ?? 0)))
  const pad = (cell: string, index: number) =>
    index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0)
  return { lines, widths, pad }
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
  const trimmed = columns.map(({ title, cell }) => ({ title, cell: (row: Row) => cell(row).trim() }))
  const { lines, widths, pad } = measureCells(rows, trimmed, 3)
  const rule = widths.map((width, index) => (index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  const [titles = [], ...cells] = lines.map(line => line.map(pad))
  return [titles, rule, ...cells].map(line => `| ${line.join(' | ')} |`).join('\n')
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
