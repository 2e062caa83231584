import type { Column } from '../../lib/columns.ts'
import type { Content, Remarks } from './presentation.ts'

/** `renderColumns` for a terminal, `renderMarkdownTable` for Markdown. */
type RenderTable = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]) => string

/** Renders tables and remarks as text. A table that follows another table has its title above it. */
export const renderText = (content: readonly Content[], renderTable: RenderTable): string =>
  content
    .flatMap((each, index) => {
      if (each.kind === 'remarks') return renderRemarks(each)
      const rendered = renderTable(each.rows, each.columns)
      return content[index - 1]?.kind === 'table' ? [`${each.title}:`, rendered] : [rendered]
    })
    .join('\n\n')

const renderRemarks = ({ heading, sentences }: Remarks): readonly string[] =>
  heading === undefined ? sentences : [heading, sentences.map(sentence => `- ${sentence}`).join('\n')]
