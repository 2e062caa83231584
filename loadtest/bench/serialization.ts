import { join } from 'node:path'
import { install } from '../peers/install.ts'
import { runBench } from './bench.ts'
import { measureInThread, OVERHEAD_MS } from './sample-thread.ts'
import { cases } from './serialization-cases.ts'
import { renderPeers, renderSerialization } from './serialization-table.ts'

const file = join(import.meta.dirname, 'serialization-cases.ts')

await runBench({
  name: 'serialization',
  description: `CPU microseconds to decode and encode orders, by codec. Every sample is taken in a fresh thread, and every round has a
new order of the cases. Each case is checked for correct results before it is measured.`,
  prepare: () => install(),
  cases: Object.keys(cases),
  defaultDuration: '100ms',
  overheadMs: OVERHEAD_MS,
  measure: (name, durationMs) => measureInThread({ file, name, durationMs }),
  render: (samples, renderTable) =>
    `${renderSerialization(samples, renderTable)}\n\n${renderPeers(samples, renderTable)}`,
})
