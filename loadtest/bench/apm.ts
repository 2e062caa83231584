import { join } from 'node:path'
import { type CaseName, cases } from './apm-cases.ts'
import { renderApm } from './apm-table.ts'
import { runBench } from './bench.ts'
import { measureInThread, OVERHEAD_MS } from './sample-thread.ts'

const file = join(import.meta.dirname, 'apm-cases.ts')

await runBench({
  name: 'apm',
  description: `CPU nanoseconds to record one request. Every sample is taken in a fresh thread, and every round has a new order of the
cases.`,
  cases: Object.keys(cases) as CaseName[],
  defaultDuration: '300ms',
  overheadMs: OVERHEAD_MS,
  measure: (name, durationMs) => measureInThread({ file, name, durationMs }),
  render: renderApm,
})
