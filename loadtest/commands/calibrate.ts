import { busy, type Columns, latency, mainThread, p99, step, valid, wakeups } from '../declaration/columns.ts'
import { rowsCommand } from '../declaration/rows-command.ts'
import { loadOptions, openOptions, rowOptions, samplingOptions, settingsFrom } from '../options.ts'
import { middle } from '../outcome/format.ts'
import { measureCapacity } from '../run/capacity.ts'
import type { PlannedRun } from '../run/planned-run.ts'
import { atLoads, type Row, selectRows } from '../sample/rows.ts'
import { median } from '../statistics/median.ts'

/** Shares of what the first row answers in a closed loop, in percent. */
const SHARES = [10, 30, 60]

const columns: Columns = [
  step,
  { title: 'goodput/s', cell: row => middle(row.goodput, 0, false) },
  mainThread,
  busy,
  wakeups,
  latency('p50', 2),
  p99(1),
  valid,
]

const { threads, ...sampling } = samplingOptions

/** Measures what the model of `plan` is made of. */
export const calibrate = rowsCommand({
  name: 'calibrate',
  description: `Measures what the command plan computes with: the CPU time of every thread of the stack for a response, for every
step, in a closed loop and at ${SHARES.join(', ')} % of what the first step answers in one. The command plan --measure does the same.`,
  options: {
    ...rowOptions,
    ...loadOptions,
    arrivals: openOptions.arrivals,
    threads,
    ...sampling,
    rounds: { ...sampling.rounds, help: 'measure exactly this many blocks (default 1)' },
  },
  async plan(options, abort): Promise<PlannedRun> {
    const rounds = options.rounds ?? (options.budgetMs === undefined ? 1 : undefined)
    const settings = {
      ...settingsFrom('calibrate', { ...options, rounds }, options),
      baseline: 'first' as const,
    }
    const rows = selectRows(options.steps, options.step, options)
    const capacity = await measureCapacity(rows[0] as Row, 1, settings, abort)
    const loads = SHARES.map(share => {
      const ratePerSecond = Math.max(1, Math.round(((median(capacity) as number) * share) / 100))
      return { name: `${share} % (${ratePerSecond}/s)`, ratePerSecond }
    })
    return { rows: [...rows, ...atLoads(rows, loads)], settings: { ...settings, capacity } }
  },
  heading: () => ({
    title: 'What the model is made of',
    introduction: 'Every step in a closed loop, and at several rates, for the command plan.',
  }),
  columns: () => columns,
  plots: ['main-thread-over-load', 'wakeups-over-load', 'p50-over-load', 'p99-over-load'],
})
