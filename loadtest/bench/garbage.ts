import { join } from 'node:path'
import { runBench } from './bench.ts'
import { renderComparison } from './comparison.ts'
import { type CaseName, cases, OURS } from './garbage-cases.ts'
import { measureInThread, OVERHEAD_MS } from './sample-thread.ts'

const file = join(import.meta.dirname, 'garbage-cases.ts')

await runBench({
  name: 'garbage',
  description: `CPU nanoseconds for a member that comes and goes, with its garbage collection, in collections that keep an order. Every
sample is taken in a fresh thread, and every round has a new order of the cases.`,
  cases: Object.keys(cases) as CaseName[],
  defaultDuration: '1s',
  overheadMs: OVERHEAD_MS,
  measure: (name, durationMs) => measureInThread({ file, name, durationMs }),
  render: renderComparison<CaseName>({ ours: OURS, title: 'members in a', unit: 'ns' }),
})
