import { renderColumns, renderMarkdownTable } from '../../lib/cli/columns.ts'
import { terminalColumns, wrap } from '../../lib/cli/terminal.ts'
import type { Advice } from '../advice/advise.ts'
import type { Report } from '../spectrum/report.ts'
import { describeTurns, sentencesOf, TURNS_TITLE, titleOf } from './sentences.ts'
import { adviceColumnsOf, type Line, lineColumns, linesOf, percent } from './tables.ts'

/** How the parts of a report are written. */
interface Form {
  title(text: string): string
  summary(text: string): string
  heading(text: string): string
  readonly table: typeof renderMarkdownTable
  /** The name of a line of a spectrum, which is indented by two spaces for an owner and by four for a function. */
  nameOf(line: Line): string
  list(lines: readonly string[]): string
  packageOf(text: string, code: string): string
}

function render(report: Report, form: Form): string {
  const { main, workers, verdict } = report
  const spectrum = (thread: Report['main']) =>
    form.table(
      linesOf(thread).map(line => ({ ...line, name: form.nameOf(line) })),
      lineColumns,
    )
  const turns = describeTurns(report)
  const advise = ({ concern, stays, way, tryIt, packages }: Advice) => [
    form.list([`${concern}${stays ? ` (${stays})` : ''}: ${way}.${tryIt ? ` Try it first: ${tryIt}.` : ''}`]),
    ...packages.map(({ name, what, code }) => form.packageOf(`${name} (${what})`, code)),
  ]
  const blocks = [
    form.title(titleOf(report)),
    form.summary(verdict.summary),
    spectrum(main),
    form.list(sentencesOf(report)),
    ...(turns.length > 0 ? [`${TURNS_TITLE}\n\n${form.list(turns)}`] : []),
    ...workers.flatMap(worker => [
      form.heading(`Worker thread ${worker.thread}: busy for ${percent(worker.busyShare)} of the time`),
      spectrum(worker),
    ]),
    form.heading('What moving a concern away could bring, at best'),
    form.table(verdict.advice, adviceColumnsOf(report)),
    verdict.advice.flatMap(advise).join('\n'),
  ]
  return `${blocks.join('\n\n')}\n`
}

/** The report for a terminal. */
export function renderText(report: Report, width = terminalColumns() ?? 100): string {
  const paragraph = (text: string) => wrap(text, width).join('\n')
  return render(report, {
    title: text => text,
    summary: paragraph,
    heading: text => `${text}:`,
    table: (rows, columns) => renderColumns(rows, columns, width),
    nameOf: ({ name }) => name,
    list: lines => lines.map(line => wrap(line, width - 2).join('\n  ')).join('\n'),
    packageOf: (text, code) => `  ${text}\n    ${code}`,
  })
}

/** The report as Markdown, for an issue or a pull request. */
export const renderMarkdown = (report: Report): string =>
  render(report, {
    title: text => `### Main thread of \`${text}\``,
    summary: text => `**${text}**`,
    heading: text => `#### ${text}`,
    table: renderMarkdownTable,
    // Markdown takes spaces away.
    nameOf: ({ name }) => name.replace(/^ {4}/, '· · ').replace(/^ {2}/, '· '),
    list: lines => lines.map(line => `- ${line}`).join('\n'),
    packageOf: (text, code) => `  - ${text}: \`${code}\``,
  })
