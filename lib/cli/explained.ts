import type { Column } from './columns.ts'

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
