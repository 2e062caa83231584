import { join } from 'node:path'
import { type StepName, stepNames } from '../../../app/steps.ts'
import { renderColumns } from '../../../lib/cli/columns.ts'
import type { RowResult } from '../../../loadtest/outcome/results.ts'
import { readResults } from '../../../loadtest/outcome/results-file.ts'
import type { Slice } from '../../../loadtest/spectrum/spectrum.ts'

const { steps } = readResults(join(import.meta.dirname, '../../../docs/results/ladder.json'))

/** A step of the published run. @throws when the run lacks it */
function rowOf(name: StepName): RowResult {
  const row = steps.find(each => each.name === name)
  if (!row) throw new Error(`docs/results/ladder.json lacks the step ${name}`)
  return row
}

/** The share of a concern in the main thread's CPU time at a step. */
export const shareOf = (name: StepName, slice: Slice): number =>
  rowOf(name).spectrum?.shares?.[slice] ?? Number.NaN

/** CPU microseconds of the first thread beside the main thread, for a response; undefined if the step has none. */
export const workerMicrosOf = (name: StepName): number | undefined =>
  rowOf(name).spectrum?.threads[0]?.cpuMicros

/** Good responses a second. */
export const goodputOf = (name: StepName): number => rowOf(name).goodput.median ?? Number.NaN

/**
 * The interval of a measured ratio of a step to the one before.
 * @throws when the run has none
 */
export function intervalOf(
  name: StepName,
  metric: 'mainThreadMicros' | 'goodput',
): readonly [number, number] {
  const interval = rowOf(name).versusPrevious?.[metric].ci95
  if (!interval) throw new Error(`docs/results/ladder.json has no interval for ${metric} of the step ${name}`)
  return interval
}

/** The slices of the questions, and the large ones. The others together are less than a tenth. */
const SLICES = [
  'compute',
  'serialization',
  'framework',
  'logging',
  'apm',
  'rendering',
  'http',
  'gc',
] as const satisfies Slice[]

/** The steps from which the questions ask for a move. */
const shown = stepNames.slice(0, stepNames.indexOf('rendering')) as readonly StepName[]

/** The spectrum before each move, as text in columns, without what was measured after it. */
export function renderShares(): string {
  const table = renderColumns(shown, [
    { title: 'main thread, %', cell: name => `${stepNames.indexOf(name)} ${name}` },
    ...SLICES.map(slice => ({
      title: slice,
      cell: (name: StepName) => (100 * shareOf(name, slice)).toFixed(0),
    })),
    { title: 'worker, µs a response', cell: name => workerMicrosOf(name)?.toFixed(0) ?? '-' },
  ])
  return `${table}

Goodput at step 0 is ${goodputOf('monolith').toFixed(0)} responses a second. The main thread is busy all the time there.`
}
