import type { Column } from '../../lib/cli/columns.ts'
import { BRACKETS, explained, type RenderTable, renderColumns } from '../../lib/cli/columns.ts'
import { terminalColumns, wrapParagraphs } from '../../lib/cli/terminal.ts'
import type { Judged } from '../outcome/noisy.ts'
import type { SavedRun } from '../outcome/results.ts'
import type { Plot } from '../report/plot.ts'

/**
 * Declares how a run of one command is shown. The terminal, the report and the docs all render this one declaration.
 */
export interface Presentation<Run extends SavedRun = SavedRun> {
  heading(run: Run): Heading
  /** Answers the question of the run in a few words. */
  answer(run: Run): string
  /** How the samples were taken, in a few words. */
  method(run: Run): string
  /** Tables and remarks, in the order in which they are shown. */
  content(run: Run): readonly Content[]
  /** What a terminal shows of a run that is to be read at once; the content and the answer when absent. */
  inShort?(run: Run): readonly Content[] | undefined
  /** The plots of the report, in this order. */
  plots(run: Run): readonly Plot[]
  /** All that was measured, each with its samples, valid or refused. */
  measured(run: Run): readonly Measured[]
}

export interface Measured {
  readonly name: string
  readonly samples: readonly Judged[]
}

export const samplesOf = <Run extends SavedRun>(run: Run, { measured }: Presentation<Run>): Judged[] =>
  measured(run).flatMap(({ samples }) => samples)

export interface Heading {
  readonly title: string
  readonly introduction: string
}

export type Content = Table | Remarks

/** Details are for reports, and for a reader who asks for them on a terminal. */
interface Shown {
  readonly isDetail?: boolean
}

/** Sentences; a list when they have a heading, a paragraph each otherwise. */
export interface Remarks extends Shown {
  readonly kind: 'remarks'
  readonly heading?: string
  readonly sentences: readonly string[]
}

export interface Table extends Shown {
  readonly kind: 'table'
  readonly title: string
  /** The cells of each row, as text. */
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

export const remarks = (sentences: readonly string[], heading?: string): Remarks => ({
  kind: 'remarks',
  sentences,
  ...(heading !== undefined && { heading }),
})

/** The same content, as a detail. */
export const detail = (content: Content): Content => ({ ...content, isDetail: true })

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
      if (each.kind === 'remarks') return renderRemarks(each, wrapSentence)
      const rendered = renderTable(each.rows, each.columns)
      return content[index - 1]?.kind === 'table' ? [wrapSentence(`${each.title}:`), rendered] : [rendered]
    })
    .join('\n\n')

/** Renders tables and remarks for the terminal. */
export function renderForTerminal(content: readonly Content[]): string {
  const columns = terminalColumns()
  const wrapSentence = (text: string) => (columns ? wrapParagraphs(text, columns) : text)
  const explanation = [BRACKETS, PAIRED].map(wrapSentence).join('\n')
  return renderText(content, explained(renderColumns, explanation), wrapSentence)
}

const renderRemarks = (
  { heading, sentences }: Remarks,
  wrapSentence: (sentence: string) => string,
): readonly string[] =>
  heading === undefined
    ? sentences.map(wrapSentence)
    : [heading, sentences.map(sentence => wrapSentence(`- ${sentence}`)).join('\n')]
