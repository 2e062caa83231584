import { runBench } from './bench.ts'
import { renderComparison } from './comparison.ts'
import { type RenderingCaseName, renderingCases } from './rendering-cases.ts'
import { measureCase } from './rendering-threads.ts'

await runBench({
  name: 'rendering',
  description: `What it costs the main thread to take a rendered page from another thread and to send it, in CPU microseconds. Every
sample is taken in fresh threads, the cases in another order in every round.`,
  cases: Object.keys(renderingCases) as RenderingCaseName[],
  defaultDuration: '2s',
  overheadMs: 1200,
  measure: measureCase,
  render: renderComparison<RenderingCaseName>({
    ours: 'a buffer a part, transferred, freed once sent',
    title: 'a page crosses as',
    unit: 'µs',
  }),
})
