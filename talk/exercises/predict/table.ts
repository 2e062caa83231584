import type { StepName } from '../../../app/steps.ts'
import { stepNames } from '../../../app/steps.ts'
import { renderColumns } from '../../../lib/cli/columns.ts'
import type { Slice } from '../../../loadtest/spectrum/spectrum.ts'
import { goodputOf, shareOf, workerMicrosOf } from './published.ts'

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
