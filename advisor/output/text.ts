import { renderColumns } from '../../lib/cli/columns.ts'
import { terminalColumns, wrap } from '../../lib/cli/terminal.ts'
import type { Advice } from '../advice/advise.ts'
import type { Report } from '../spectrum/report.ts'
import { describeTurns, sentencesOf, TURNS_TITLE, titleOf } from './sentences.ts'
import { adviceColumnsOf, describeAdvice, describePackages, lineColumns, linesOf, percent } from './tables.ts'

/** The report for a terminal. */
export function renderText(report: Report, width = terminalColumns() ?? 100): string {
  const paragraph = (text: string) => wrap(text, width).join('\n')
  const paragraphOf = (each: Advice) => wrap(describeAdvice(each), width - 2).join('\n  ')
  const lineOf = ({ text, code }: { text: string; code: string }) => `  ${text}\n    ${code}`
  const { main, workers, verdict } = report
  const turns = describeTurns(report).map(turn => `  ${wrap(turn, width - 4).join('\n    ')}`)
  const blocks = [
    titleOf(report),
    paragraph(verdict.summary),
    renderColumns(linesOf(main), lineColumns, width),
    sentencesOf(report).map(paragraph).join('\n'),
    turns.length > 0 && [TURNS_TITLE, ...turns].join('\n'),
    ...workers.map(
      worker =>
        `Worker thread ${worker.thread}: busy for ${percent(worker.busyShare)} of the time\n${renderColumns(linesOf(worker), lineColumns, width)}`,
    ),
    'What moving a concern away could bring, at best:',
    renderColumns(verdict.advice, adviceColumnsOf(report), width),
    verdict.advice.flatMap(each => [paragraphOf(each), ...describePackages(each).map(lineOf)]).join('\n'),
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}
