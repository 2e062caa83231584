import { join } from 'node:path'
import type { renderColumns } from '../../lib/cli/columns.ts'
import { fixed, formatRatio } from '../outcome/format.ts'
import { median } from '../statistics/median.ts'
import { type Bench, ratioOf, type Samples } from './bench.ts'
import { measureInThread, OVERHEAD_MS } from './sample-thread.ts'

const file = join(import.meta.dirname, 'apm-cases.ts')

/** The case that all others are compared with. */
const OURS = 'our record (span and metric)'

export const apm: Bench = {
  name: 'apm',
  description: `CPU nanoseconds to record one request. Every sample is taken in a fresh thread, and every round has a new order of the
cases.`,
  prepare: async () => Object.keys((await import('./apm-cases.ts')).cases),
  defaultDuration: '300ms',
  overheadMs: OVERHEAD_MS,
  take: (name, durationMs) => measureInThread({ file, name, durationMs }),
  render: renderApm,
}

/** A table of all cases with their ratios to ours. */
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
