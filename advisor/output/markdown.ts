import { renderMarkdownTable } from '../../lib/markdown.ts'
import type { Report } from '../spectrum/report.ts'
import { sentencesOf, titleOf } from './sentences.ts'
import { adviceColumns, describeAdvice, lineColumns, linesOf, percent } from './tables.ts'

/** The report as Markdown, for an issue or a pull request. */
export function renderMarkdown(report: Report): string {
  const { main, workers, verdict } = report
  const blocks = [
    `### Main thread of \`${titleOf(report)}\``,
    `**${verdict.summary}**`,
    renderMarkdownTable(linesOf(main), lineColumns),
    list(sentencesOf(report)),
    ...workers.flatMap(worker => [
      `#### Worker thread ${worker.thread}: busy for ${percent(worker.busyShare)} of the time`,
      renderMarkdownTable(linesOf(worker), lineColumns),
    ]),
    '#### What moving a concern away could bring, at best',
    renderMarkdownTable(verdict.advice, adviceColumns),
    list(verdict.advice.map(describeAdvice)),
  ]
  return `${blocks.join('\n\n')}\n`
}

const list = (lines: readonly string[]) => lines.map(line => `- ${line}`).join('\n')
