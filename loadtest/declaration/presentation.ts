import { BRACKETS, type Column, explained, type RenderTable, renderColumns } from '../../lib/cli/columns.ts'
import { terminalColumns, wrapParagraphs } from '../../lib/cli/terminal.ts'
import type { Judged } from '../outcome/noisy.ts'
import type { SavedRun } from '../outcome/results.ts'
import type { Plot } from '../report/plot.ts'

/**
 * Declares how a run of one command is shown. The terminal, the report and the docs all render this one declaration.
 */
export interface Presentation<Run extends SavedRun = SavedRun> {
  title(run: Run): string
  answer(run: Run): string
  method(run: Run): string
  content(run: Run): readonly Content[]
  /** A short form for the terminal, for runs whose reader waits. Without it, the terminal shows the answer and the content. */
  inShort?(run: Run): readonly Content[] | undefined
  plots(run: Run): readonly Plot[]
  measured(run: Run): readonly Measured[]
}

export interface Measured {
  readonly name: string
  readonly samples: readonly Judged[]
}

export const samplesOf = <Run extends SavedRun>(run: Run, { measured }: Presentation<Run>): Judged[] =>
  measured(run).flatMap(({ samples }) => samples)

export type Content = Table | Remarks

/** Sentences, a paragraph each. */
interface Remarks {
  readonly kind: 'remarks'
  readonly sentences: readonly string[]
}

interface Table {
  readonly kind: 'table'
  /** Whether it is for reports, and for a reader who asks for it on a terminal. */
  readonly isDetail?: boolean
  readonly title: string
  readonly rows: readonly Cells[]
  readonly columns: readonly Column<Cells>[]
}

type Cells = readonly string[]

const NO_VALUE = '-'

/** Makes a table. A column in which no row has a value is left out. */
export function table<Row>(title: string, rows: readonly Row[], columns: readonly Column<Row>[]): Table {
  const filled = columns.filter(({ cell }) => rows.some(row => cell(row) !== NO_VALUE))
  return {
    kind: 'table',
    title,
    rows: rows.map(row => filled.map(({ cell }) => cell(row))),
    columns: filled.map((column, index) => ({
      title: column.title,
      cell: (cells: Cells) => cells[index] as string,
    })),
  }
}

export const remarks = (sentences: readonly string[]): Remarks => ({ kind: 'remarks', sentences })

/** On a terminal, medians stand beside their ratio. */
const PAIRED =
  'A ratio (×) compares samples of one block, so it may differ from the ratio of the two medians.'

/** A table that follows another table has its title above it. */
export const renderText = (
  content: readonly Content[],
  renderTable: RenderTable,
  wrapSentence = (sentence: string) => sentence,
): string =>
  content
    .flatMap((each, index) => {
      if (each.kind === 'remarks') return each.sentences.map(wrapSentence)
      const rendered = renderTable(each.rows, each.columns)
      return content[index - 1]?.kind === 'table' ? [wrapSentence(`${each.title}:`), rendered] : [rendered]
    })
    .join('\n\n')

export function renderForTerminal(content: readonly Content[]): string {
  const columns = terminalColumns()
  const wrapSentence = (text: string) => (columns ? wrapParagraphs(text, columns) : text)
  const explanation = [BRACKETS, PAIRED].map(wrapSentence).join('\n')
  return renderText(content, explained(renderColumns, explanation), wrapSentence)
}
