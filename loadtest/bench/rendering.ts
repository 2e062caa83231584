import { runBench } from './bench.ts'
import { type RenderingCaseName, renderingCases } from './rendering-cases.ts'
import { measureCase } from './rendering-threads.ts'

await runBench({
  usage: 'npm run bench:rendering -- [options]',
  description: `What it costs the main thread to take a rendered page from another thread and to send it, in CPU microseconds. Every
sample is taken in fresh threads, the cases in another order in every round.`,
  names: Object.keys(renderingCases) as RenderingCaseName[],
  ours: 'a buffer a part, transferred, freed once sent',
  title: 'a page crosses as',
  unit: 'µs',
  defaultDuration: '2s',
  overheadMs: 1200,
  measure: measureCase,
})
