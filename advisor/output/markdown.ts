import { renderMarkdownTable } from '../../lib/cli/columns.ts'
import type { Report } from '../spectrum/report.ts'
import type { ThreadSpectrum } from '../spectrum/spectrum.ts'
import { describeTurns, sentencesOf, TURNS_TITLE, titleOf } from './sentences.ts'
import { adviceColumnsOf, describeAdvice, describePackages, lineColumns, linesOf, percent } from './tables.ts'

/** The report as Markdown, for an issue or a pull request. */
export function renderMarkdown(report: Report): string {
  const { main, workers, verdict } = report
  const turns = describeTurns(report)
  const blocks = [
    `### Main thread of \`${titleOf(report)}\``,
    `**${verdict.summary}**`,
    spectrumTable(main),
    list(sentencesOf(report)),
    ...(turns.length > 0 ? [TURNS_TITLE, list(turns)] : []),
    ...workers.flatMap(worker => [
      `#### Worker thread ${worker.thread}: busy for ${percent(worker.busyShare)} of the time`,
      spectrumTable(worker),
    ]),
    '#### What moving a concern away could bring, at best',
    renderMarkdownTable(verdict.advice, adviceColumnsOf(report)),
    list(verdict.advice.flatMap(each => [describeAdvice(each), ...describePackages(each).map(nested)])),
  ]
  return `${blocks.join('\n\n')}\n`
}

/** Markdown takes spaces away, so an owner has a dot before its name, and a function two. */
const spectrumTable = (thread: ThreadSpectrum) =>
  renderMarkdownTable(
    linesOf(thread).map(line => ({
      ...line,
      name: line.name.replace(/^ {4}/, '· · ').replace(/^ {2}/, '· '),
    })),
    lineColumns,
  )

const nested = ({ text, code }: { text: string; code: string }) => `  - ${text}: \`${code}\``

const list = (lines: readonly string[]) =>
  lines.map(line => (line.startsWith(' ') ? line : `- ${line}`)).join('\n')
