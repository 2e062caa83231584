import { runBench } from './bench.ts'
import { caseNames, measureCase } from './gc-cases.ts'
import { renderGc } from './gc-table.ts'

await runBench({
  name: 'gc',
  description: `Milliseconds that the main thread spends in each phase of garbage collection for 1000 documents that it parses: where V8
has helper threads, and where it has none (--single-threaded-gc).`,
  cases: caseNames,
  defaultDuration: '3s',
  overheadMs: 200,
  measure: measureCase,
  render: renderGc,
})
