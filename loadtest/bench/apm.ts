import type { renderColumns } from '../../lib/cli/columns.ts'
import { fixed, formatRatio } from '../outcome/format.ts'
import { median } from '../statistics/median.ts'
import { type Bench, ratioOf, type Samples } from './bench.ts'
import { inThreads } from './sample-thread.ts'

const OURS = 'our record (span and metric)'

export const apm: Bench = {
  name: 'apm',
  description: `CPU nanoseconds to record one request. Every sample is taken in a fresh thread, and every round has a new order of the
cases.`,
  prepare: async () => Object.keys((await import('./apm-cases.ts')).cases),
  defaultDuration: '300ms',
  ...inThreads('apm-cases.ts'),
  render: renderApm,
}

export function renderApm(samples: Samples, render: typeof renderColumns): string {
  const rows = Object.entries(samples).map(([name, values]) => {
    return {
      name,
      median: fixed(median(values), 0),
      ratio: ratioOf(values, samples[OURS] as readonly number[]),
    }
  })
  return render(rows, [
    { title: 'to record a request', cell: ({ name }) => name },
    { title: 'ns', cell: ({ median }) => median },
    { title: '× ours', cell: ({ ratio }) => formatRatio(ratio, 2) },
  ])
}
