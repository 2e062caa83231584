export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => string
}

/**
 * Renders rows as text in columns, with a line of titles. The first column is aligned to the left, all others to the
 * right.
 */
export function renderColumns<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const lines = [columns.map(({ title }) => title), ...rows.map(row => columns.map(({ cell }) => cell(row)))]
  const widths = columns.map((_, index) => Math.max(...lines.map(line => (line[index] as string).length)))
  const pad = (cell: string, index: number) =>
    index === 0 ? cell.padEnd(widths[index] as number) : cell.padStart(widths[index] as number)
  return lines.map(line => line.map(pad).join('  ')).join('\n')
}
