import { appendFileSync } from 'node:fs'
import { renderColumns } from '../../lib/cli/columns.ts'
import { toggle } from '../../lib/cli/options.ts'
import { terminalColumns, wrap } from '../../lib/cli/terminal.ts'
import type { Advice } from '../advice/advise.ts'
import type { Report } from '../spectrum/report.ts'
import { describeTurns, sentencesOf, TURNS_TITLE } from './sentences.ts'
import { adviceColumnsOf, lineColumns, linesOf, percent } from './tables.ts'

/** The report as people read it. */
export function renderText(report: Report, width = terminalColumns() ?? 100): string {
  const { subject, nodeVersion, main, workers, verdict } = report
  const spectrum = (thread: Report['main']) => renderColumns(linesOf(thread), lineColumns, width)
  const list = (lines: readonly string[]) => lines.map(line => wrap(line, width - 2).join('\n  ')).join('\n')
  const advise = ({ concern, stays, way, tryIt, packages }: Advice) => [
    list([`${concern}${stays ? ` (${stays})` : ''}: ${way}.${tryIt ? ` Try it first: ${tryIt}.` : ''}`]),
    ...packages.map(({ name, what, code }) => `  ${name} (${what})\n    ${code}`),
  ]
  const turns = describeTurns(report)
  const blocks = [
    nodeVersion ? `${subject}, Node.js ${nodeVersion.slice(1)}` : subject,
    wrap(verdict.summary, width).join('\n'),
    spectrum(main),
    list(sentencesOf(report)),
    ...(turns.length > 0 ? [`${TURNS_TITLE}\n\n${list(turns)}`] : []),
    ...workers.flatMap(worker => [
      `Worker thread ${worker.thread}: busy for ${percent(worker.busyShare)} of the time:`,
      spectrum(worker),
    ]),
    'What moving a concern away could bring, at best:',
    renderColumns(verdict.advice, adviceColumnsOf(report), width),
    verdict.advice.flatMap(advise).join('\n'),
  ]
  return `${blocks.join('\n\n')}\n`
}

export const jsonOption = toggle({ help: 'the answer as JSON' })

/**
 * Prints an answer as text or as JSON. If this runs in a job of GitHub Actions, the text is also added to its summary, see
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export function printAnswer(isJson: boolean, answer: object, text: string, env = process.env): void {
  process.stdout.write(isJson ? `${JSON.stringify(answer, null, 2)}\n` : text)
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, `\`\`\`\n${text}\`\`\`\n`)
}
