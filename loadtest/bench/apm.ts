import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { type CaseName, cases, OURS } from './apm-cases.ts'
import { runBench } from './bench.ts'

await runBench({
  usage: 'npm run bench:apm -- [options]',
  description: `What it costs a thread to record one request, in nanoseconds of CPU time. Every sample is taken in a fresh thread, the
cases in another order in every round.`,
  names: Object.keys(cases) as CaseName[],
  ours: OURS,
  title: 'to record a request',
  unit: 'ns',
  defaultDuration: '300ms',
  overheadMs: 700,
  async measure(name, durationMs) {
    const worker = new Worker(join(import.meta.dirname, 'apm-worker.ts'), {
      workerData: { name, durationMs },
    })
    const [nanos] = await once(worker, 'message')
    await once(worker, 'exit')
    return nanos
  },
})
