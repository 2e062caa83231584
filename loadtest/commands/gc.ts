import type { Command } from '../../lib/command.ts'
import { integers } from '../../lib/options.ts'
import { loadOptions, samplingOptions, settingsFrom, stepOptions } from '../options.ts'
import type { Instruments } from '../run/run.ts'
import { watchCollections } from '../sample/collections.ts'
import { selectRow, withCollectors } from '../sample/rows.ts'
import { takeSample } from '../sample/take-sample.ts'
import { asTable, measureAndReport } from './measure-and-report.ts'
import { collected } from './tables.ts'

/** Whose collections are watched is one process. */
const { instances, ...ofOneProcess } = stepOptions

const options = {
  ...ofOneProcess,
  semiSpaceMib: integers({
    min: 1,
    max: 1024,
    default: '1,4,64',
    help: 'sizes of the young generation: each of its semi-spaces, --max-semi-space-size of Node.js',
  }),
  ...loadOptions,
  ...samplingOptions,
} as const

export const gc: Command<typeof options> = {
  usage: 'npm run loadtest -- gc [options]',
  description: `Garbage collection as a concern: a row as it is, where V8 collects on helper threads beside the main thread, against
the same with all of it on the main thread, and with other sizes of the young generation.`,
  options,
  async run(options) {
    const plan = () => ({
      rows: withCollectors(selectRow(options.step, options), options.semiSpaceMib),
      settings: settingsFrom('gc', options, { ...options, baseline: 'first' }),
    })
    await measureAndReport(plan, options, 'gc', asTable(collected), { take: takeWatched })
  },
}

const takeWatched: Instruments['take'] = async (row, block, settings, abort, livePort) => {
  const { probe, read } = watchCollections()
  const sample = await takeSample(row, block, settings, abort, livePort, probe)
  return { ...sample, collections: read() }
}
