import type { Column } from '../../lib/columns.ts'
import { runCommand } from '../../lib/command.ts'
import { renderMarkdownTable } from '../../lib/markdown.ts'
import { UserError } from '../../lib/user-error.ts'
import { formatRatio } from '../../loadtest/outcome/format.ts'
import { wordOf } from '../../loadtest/outcome/metrics.ts'
import { readResults } from '../../loadtest/outcome/results-file.ts'
import { readRecording } from '../recording.ts'
import { type Agreement, holdAgainst } from './agreement.ts'

const sideColumns = (title: string, read: (row: Agreement) => Agreement['loadTest']): Column<Agreement>[] => [
  { title, cell: row => formatRatio(read(row), 2) },
  {
    title: 'verdict',
    cell: row => wordOf('mainThreadMicros', read(row)?.verdict ?? 'inconclusive'),
  },
]

const columns: readonly Column<Agreement>[] = [
  { title: 'step', cell: ({ step }) => step },
  ...sideColumns('stage: × previous', ({ stage }) => stage),
  ...sideColumns('load test: × previous', ({ loadTest }) => loadTest),
]

await runCommand({
  usage: 'npm run stage:agreement -- RESULTS TOUR...',
  description: `Shows the verdicts of recorded tours beside those of a run of the load test. The exit code is 1 if one side says that a
step costs less, and the other that it costs more.`,
  options: {},
  takesWords: true,
  async run(_, [results, ...tours]) {
    if (results === undefined || tours.length === 0)
      throw new UserError('a run of the load test and at least one recorded tour are expected')
    for (const tour of tours) {
      const agreements = holdAgainst(readRecording(tour), readResults(results))
      process.stdout.write(`${tour}\n\n${renderMarkdownTable(agreements, columns)}\n\n`)
      if (agreements.some(({ isContradiction }) => isContradiction)) process.exitCode = 1
    }
  },
})
