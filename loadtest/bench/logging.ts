import { namesOf } from '../../app/concerns.ts'
import type { Column } from '../../lib/cli/columns.ts'
import { runCommand } from '../../lib/cli/command.ts'
import { rowsCommand } from '../declaration/rows-command.ts'
import { loadOptions, samplingOptions } from '../options.ts'
import type { Results, RowResult } from '../outcome/results.ts'
import { withReport } from '../report/with-report.ts'
import { selectRows } from '../sample/rows.ts'
import { settingsFrom } from '../settings-from.ts'

const LINES_PER_RESPONSE = 10
const OURS = 'sidecar'
/** The telemetry without which a line has no trace. */
const UNTRACED = 'none'
const NAME = 'bench:logging'

const logging = rowsCommand({
  name: NAME,
  usage: 'npm run bench -- logging [options]',
  description:
    'Main-thread CPU microseconds of a log line, with each implementation of logging, without and with the trace of its request.',
  options: { connections: loadOptions.connections, ...samplingOptions },
  plan: options => ({
    rows: selectRows(undefined, 'framework', { logging: namesOf('logging'), apm: [UNTRACED, 'sidecar'] }),
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
  const find = (logging: string, apm: string) =>
    steps.find(({ composition }) => composition.logging === logging && composition.apm === apm) as RowResult
  const isFloor = ({ composition }: RowResult) => composition.logging === 'none'
  /** Above the row without lines but with the same telemetry, so the cost of spans themselves is not included. */
  const microsPerLine = (row: RowResult) =>
    ((row.mainThreadMicros.median ?? Number.NaN) -
      (find('none', row.composition.apm).mainThreadMicros.median ?? Number.NaN)) /
    LINES_PER_RESPONSE
  const ratio = (row: RowResult, to: RowResult) =>
    isFloor(row) ? '-' : (microsPerLine(row) / microsPerLine(to)).toFixed(2)
  const lines = (row: RowResult, what: 'emitted' | 'delivered' | 'dropped') =>
    String(row.samples.reduce((total, { ledger }) => total + ledger.logLines[what], 0))
  return [
    { title: 'logging', cell: ({ composition }) => composition.logging },
    { title: 'trace', cell: ({ composition }) => (composition.apm === UNTRACED ? 'no' : 'yes') },
    { title: 'main thread µs a line', cell: row => (isFloor(row) ? '-' : microsPerLine(row).toFixed(2)) },
    { title: '× sidecar', cell: row => ratio(row, find(OURS, row.composition.apm)) },
    { title: '× untraced', cell: row => ratio(row, find(row.composition.logging, UNTRACED)) },
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
