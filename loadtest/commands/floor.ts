import { choice } from '../../lib/cli/options.ts'
import {
  busy,
  type Columns,
  latency,
  mainThread,
  p99,
  step,
  valid,
  versus,
  wakeups,
} from '../declaration/columns.ts'
import { rowsCommand } from '../declaration/rows-command.ts'
import { floorScenarios } from '../floor/scenarios.ts'
import { loadOptions, openOptions, rowOptions, samplingOptions } from '../options.ts'
import { formatRatio, middle } from '../outcome/format.ts'
import { floorRow, hopRow } from '../sample/floor-row.ts'
import { selectRows } from '../sample/rows.ts'
import { atLoads } from '../sample/rows-at-loads.ts'
import { settingsFrom } from '../settings-from.ts'

/** Each row is compared with the floor, which runs on this version of Node.js, so `--node` is not allowed. */
const { node, ...optionsOfRows } = rowOptions

/** The cost of each row, as a multiple of the first, which is the floor. */
const columns: Columns = [
  step,
  mainThread,
  { title: '× floor', cell: row => formatRatio(row.versusFirst?.mainThreadMicros, 2) },
  ...versus('versusPrevious', 'mainThreadMicros', '× previous'),
  { title: 'goodput/s', cell: row => middle(row.goodput, 0, false) },
  { title: 'total µs', cell: row => middle(row.totalMicros, 0, false) },
  { title: 'total × floor', cell: row => formatRatio(row.versusFirst?.totalMicros, 2) },
  busy,
  wakeups,
  latency('p50', 1),
  p99(1),
  valid,
]

export const floor = rowsCommand({
  name: 'floor',
  description: `Measures steps beside the floor: bare node:http that sends the same headers and bodies, made before it listens, and
does no work at all. No step can cost less, so each step is also shown as a multiple of the floor. "floor+hop" is the
same server, but a worker thread makes each body: no step that moves work to threads can cost less than that. The floor itself depends on the
load: with --rate, all rows answer the same number of requests a second.`,
  options: {
    ...optionsOfRows,
    ...loadOptions,
    scenario: choice({ choices: floorScenarios, default: 'demo', help: 'the requests of the load' }),
    ...openOptions,
    rate: { ...openOptions.rate, help: `${openOptions.rate.help}; without it, each row is saturated` },
    ...samplingOptions,
  },
  plan({ rate, ...options }) {
    const rows = [floorRow, hopRow, ...selectRows(options.steps, options.step, options)]
    const loads = rate?.map(ratePerSecond => ({ name: `${ratePerSecond}/s`, ratePerSecond }))
    return {
      rows: loads ? atLoads(rows, loads) : rows,
      settings: settingsFrom('floor', options, { ...options, baseline: 'first', keepsStacks: !loads }),
    }
  },
  heading: () => ({
    title: 'Above the floor',
    introduction:
      'Bare node:http that sends the same bytes with no work at all, and how much each step costs more.',
  }),
  columns: () => columns,
  plots: ['main-thread', 'main-thread-versus-first', 'goodput', 'latency'],
})
