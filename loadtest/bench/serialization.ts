import { join } from 'node:path'
import { renderColumns } from '../../lib/columns.ts'
import { runBench } from './bench.ts'
import { measureInThread, OVERHEAD_MS } from './sample-thread.ts'
import { cases } from './serialization-cases.ts'
import { serializationTable } from './serialization-table.ts'

const file = join(import.meta.dirname, 'serialization-cases.ts')

await runBench({
  name: 'serialization',
  description: `What it costs a thread to make orders of bytes and bytes of orders, in CPU microseconds, by codec. Every sample is taken
in a fresh thread, the cases in another order in every round; what is made is checked before it is measured.`,
  cases: Object.keys(cases),
  defaultDuration: '100ms',
  overheadMs: OVERHEAD_MS,
  measure: (name, durationMs) => measureInThread({ file, name, durationMs }),
  render(samples) {
    const { rows, columns } = serializationTable(samples)
    return renderColumns(rows, columns)
  },
})
