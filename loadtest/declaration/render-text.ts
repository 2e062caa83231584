import { BRACKETS, explained, type RenderTable, renderColumns } from '../../lib/cli/columns.ts'
import { terminalColumns, wrapParagraphs } from '../../lib/cli/terminal.ts'
import type { Content, Remarks } from './presentation.ts'

/** On a terminal, medians stand beside their ratio. */
const PAIRED =
  'A ratio (×) compares samples of one block, so it may differ from the ratio of the two medians.'

/**
 * Renders tables and remarks as text. A table that follows another table has its title above it.
 * @param wrapSentence breaks a sentence into lines
 */
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
