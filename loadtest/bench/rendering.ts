import { runBench } from './bench.ts'
import { renderComparison } from './comparison.ts'
import { type RenderingCaseName, renderingCases } from './rendering-cases.ts'
import { measureCase } from './rendering-threads.ts'

await runBench({
  name: 'rendering',
  description: `Main-thread CPU microseconds to take a rendered page from a thread and send it. Every sample is taken in fresh threads,
and every round has a new order of the cases.`,
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
