import { namesOf } from '../../app/concerns.ts'
import type { Column } from '../../lib/columns.ts'
import { runCommand } from '../../lib/command.ts'
import { rowsCommand } from '../declaration/rows-command.ts'
import { loadOptions, samplingOptions, settingsFrom } from '../options.ts'
import type { Results, RowResult } from '../outcome/results.ts'
import { withReport } from '../report/with-report.ts'
import { selectRows } from '../sample/rows.ts'

const LINES_PER_RESPONSE = 10
const OURS = 'sidecar'
const NAME = 'bench:logging'

const logging = rowsCommand({
  name: NAME,
  usage: `npm run ${NAME} -- [options]`,
  description:
    'Main-thread CPU microseconds of a log line, with each implementation of logging and without telemetry.',
  options: { connections: loadOptions.connections, ...samplingOptions },
  plan: options => ({
    rows: selectRows(undefined, 'framework', { logging: namesOf('logging'), apm: ['none'] }),
    settings: settingsFrom(NAME, options, { ...options, scenario: 'log' }),
  }),
  heading: () => ({
    title: 'Log lines',
    introduction: 'Each row writes the same log lines in another way. What does a line cost?',
  }),
  columns,
  plots: ['main-thread', 'main-thread-versus-first', 'goodput', 'latency'],
})

await runCommand(withReport(logging))

function columns({ steps }: Results): Column<RowResult>[] {
  const floor = steps.find(({ composition }) => composition.logging === 'none')
  const microsPerLine = (row: RowResult) =>
    ((row.mainThreadMicros.median ?? Number.NaN) - (floor?.mainThreadMicros.median ?? Number.NaN)) /
    LINES_PER_RESPONSE
  const ours = microsPerLine(steps.find(({ composition }) => composition.logging === OURS) as RowResult)
  const lines = (row: RowResult, what: 'emitted' | 'delivered' | 'dropped') =>
    String(row.samples.reduce((total, { ledger }) => total + ledger.logLines[what], 0))
  return [
    { title: 'logging', cell: ({ composition }) => composition.logging },
    { title: 'main thread µs a line', cell: row => (row === floor ? '-' : microsPerLine(row).toFixed(2)) },
    { title: '× sidecar', cell: row => (row === floor ? '-' : (microsPerLine(row) / ours).toFixed(2)) },
    { title: 'µs a response', cell: row => row.mainThreadMicros.median?.toFixed(0) ?? '-' },
    { title: 'emitted', cell: row => lines(row, 'emitted') },
    { title: 'delivered', cell: row => lines(row, 'delivered') },
    { title: 'dropped', cell: row => lines(row, 'dropped') },
    {
      title: 'valid',
      cell: ({ samples }) => `${samples.filter(({ valid }) => valid).length}/${samples.length}`,
    },
  ]
}
