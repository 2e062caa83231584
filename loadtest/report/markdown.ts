import type { BreakEvenResults } from '../break-even/results.ts'
import { describeResults, showBreakEven } from '../commands/describe-results.ts'
import type { Results } from '../outcome/results.ts'
import type { Report } from './page.ts'
import { repeatCommand } from './repeat.ts'
import { repeatBreakEven } from './report-of-break-even.ts'

/** The report in Markdown, for a README: its notices, its tables, and the command that gives it again. */
export function renderReportMarkdown(
  results: Results | BreakEvenResults,
  { title, notices }: Report,
): string {
  const [tables, command] =
    'kind' in results
      ? [showBreakEven(results), repeatBreakEven(results)]
      : [describeResults(withPlainNames(results)), repeatCommand(results)]
  return [
    `## ${title}`,
    ...notices.map(notice => `> **${notice.title}.** ${plain(notice.text)}`),
    tables,
    `\`\`\`sh\n${command}\n\`\`\`\n`,
  ].join('\n\n')
}

const withPlainNames = (results: Results): Results => ({
  ...results,
  steps: results.steps.map(row => ({ ...row, name: plain(row.name) })),
})

/** Text that must not be taken for Markdown or HTML. */
const plain = (text: string) => text.replaceAll(/[\\`*_|[\]<>&]/g, character => `\\${character}`)
