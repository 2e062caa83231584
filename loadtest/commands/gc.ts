import { integers } from '../../lib/cli/options.ts'
import { ablationColumns, type Columns, valid, value } from '../declaration/columns.ts'
import { rowsCommand } from '../declaration/rows-command.ts'
import { loadOptions, samplingOptions, stepOptions } from '../options.ts'
import { middleOf, percent } from '../outcome/format.ts'
import type { Instruments } from '../run/run.ts'
import { watchCollections } from '../sample/collections.ts'
import { selectRow, withCollectors } from '../sample/rows.ts'
import { takeSample } from '../sample/take-sample.ts'
import { settingsFrom } from '../settings-from.ts'

/** Garbage collection is recorded for a single process only, so `--instances` is not allowed. */
const { instances, ...singleProcessOptions } = stepOptions

/** The cost of garbage collection, and how long it stops the main thread. */
const columns: Columns = [
  ...ablationColumns.slice(0, -1),
  value('collections/s', 1, sample => sample.collections?.perSecond ?? Number.NaN),
  value('pause p50 ms', 2, sample => sample.collections?.pauseMs.p50 ?? Number.NaN),
  value('pause p99 ms', 2, sample => sample.collections?.pauseMs.p99 ?? Number.NaN),
  value('longest ms', 1, sample => sample.collections?.pauseMs.max ?? Number.NaN),
  {
    title: 'stopped',
    cell: row =>
      percent(
        middleOf(row, sample => sample.collections?.share ?? Number.NaN),
        1,
      ),
  },
  value('resident MiB', 0, sample => sample.residentMiB),
  valid,
]

export const gc = rowsCommand({
  name: 'gc',
  description: `Garbage collection as a concern. Measures a row as it is, where V8 collects on helper threads beside the main thread,
against the same row with all collection on the main thread, with objects that V8 makes in the old generation at once
(pretenuring, which the app turns off), and with other sizes of the young generation.`,
  options: {
    ...singleProcessOptions,
    semiSpaceMib: integers({
      min: 1,
      max: 1024,
      default: '1,4,64',
      help: 'sizes of a semi-space of the young generation, in MiB (--max-semi-space-size of Node.js)',
    }),
    ...loadOptions,
    ...samplingOptions,
  },
  plan: options => ({
    rows: withCollectors(selectRow(options.step, options), options.semiSpaceMib),
    settings: settingsFrom('gc', options, { ...options, baseline: 'first' }),
  }),
  instruments: { take: takeWatchedSample },
  heading: () => ({
    title: 'Garbage collection',
    introduction: 'The same step with other settings of the garbage collector.',
  }),
  columns: () => columns,
  plots: ['main-thread-versus-first', 'goodput-versus-first', 'main-thread', 'pauses', 'latency', 'memory'],
})

async function takeWatchedSample(
  ...[row, block, settings, abort, livePort]: Parameters<Instruments['take']>
): ReturnType<Instruments['take']> {
  const { probe, read } = watchCollections()
  const sample = await takeSample(row, block, settings, abort, livePort, probe)
  return { ...sample, collections: read() }
}
