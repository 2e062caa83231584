import { namesOf } from '../../app/concerns.ts'
import { renderColumns } from '../../lib/columns.ts'
import { runCommand } from '../../lib/command.ts'
import { measureAndReport } from '../commands/measure-and-report.ts'
import { loadOptions, samplingOptions, settingsFrom } from '../options.ts'
import type { Results, RowResult } from '../outcome/results.ts'
import { selectRows } from '../sample/rows.ts'

const LINES_PER_RESPONSE = 10
const OURS = 'sidecar'

await runCommand({
  usage: 'npm run bench:logging -- [options]',
  description: 'What a log line costs the main thread, with each implementation of logging and no telemetry.',
  options: { connections: loadOptions.connections, ...samplingOptions },
  async run(options) {
    const plan = () => ({
      rows: selectRows(undefined, 'framework', { logging: namesOf('logging'), apm: ['none'] }),
      settings: settingsFrom('bench:logging', options, { ...options, scenario: 'log' }),
    })
    await measureAndReport(plan, options, 'bench:logging', renderCosts)
  },
})

function renderCosts({ steps }: Results): string {
  const floor = steps.find(({ composition }) => composition.logging === 'none')
  const microsPerLine = (row: RowResult) =>
    ((row.mainThreadMicros.median ?? Number.NaN) - (floor?.mainThreadMicros.median ?? Number.NaN)) /
    LINES_PER_RESPONSE
  const ours = microsPerLine(steps.find(({ composition }) => composition.logging === OURS) as RowResult)
  const lines = (row: RowResult, what: 'emitted' | 'delivered' | 'dropped') =>
    String(row.samples.reduce((total, { ledger }) => total + ledger.logLines[what], 0))
  return renderColumns(steps, [
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
  ])
}
