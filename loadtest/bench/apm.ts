import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { renderColumns } from '../../lib/columns.ts'
import { runCommand } from '../../lib/command.ts'
import { duration, integer, toggle } from '../../lib/options.ts'
import { seededRandom, shuffled } from '../../lib/random.ts'
import { formatDuration } from '../../lib/units.ts'
import { type CaseName, cases, OURS } from './apm-cases.ts'

const OVERHEAD_MS = 700

const names = Object.keys(cases) as CaseName[]

await runCommand({
  usage: 'npm run bench:apm -- [options]',
  description: `What it costs a thread to record one request, in CPU time. Every sample is taken in a fresh thread, the cases in
another order in every round.`,
  options: {
    rounds: integer({ min: 1, max: 100, default: '7', help: 'samples of each case' }),
    durationMs: duration({ minMs: 10, default: '300ms', help: 'measured time of a sample' }),
    seed: integer({ min: 0, max: 2 ** 31, default: '1', help: 'decides the order' }),
    json: toggle({ help: 'nanoseconds of every sample on stdout' }),
  },
  async run({ rounds, durationMs, seed, json }) {
    const plannedMs = rounds * names.length * (durationMs + OVERHEAD_MS)
    process.stderr.write(`${rounds} rounds of ${names.length} cases, about ${formatDuration(plannedMs)}\n`)
    const random = seededRandom(seed)
    const samples = new Map<CaseName, number[]>(names.map(name => [name, []]))
    for (let round = 1; round <= rounds; round++) {
      for (const name of shuffled(names, random)) samples.get(name)?.push(await measure(name, durationMs))
      process.stderr.write(`round ${round} of ${rounds}\n`)
    }
    const output = json ? JSON.stringify(Object.fromEntries(samples), null, 2) : renderTable(samples)
    process.stdout.write(`${output}\n`)
  },
})

/** Nanoseconds of CPU time a record. */
async function measure(name: CaseName, durationMs: number): Promise<number> {
  const worker = new Worker(join(import.meta.dirname, 'apm-worker.ts'), { workerData: { name, durationMs } })
  const [nanos] = await once(worker, 'message')
  await once(worker, 'exit')
  return nanos
}

function renderTable(samples: ReadonlyMap<CaseName, readonly number[]>): string {
  const summarize = (name: CaseName) => {
    const ordered = (samples.get(name) ?? []).toSorted((a, b) => a - b)
    const at = (index: number) => ordered[index] ?? Number.NaN
    return { min: at(0), median: at(Math.floor(ordered.length / 2)), max: at(ordered.length - 1) }
  }
  const ours = summarize(OURS).median
  const rows = names.map(name => ({ name, ...summarize(name) }))
  return renderColumns(rows, [
    { title: 'to record a request', cell: ({ name }) => name },
    { title: 'ns', cell: ({ median }) => median.toFixed(0) },
    { title: 'min', cell: ({ min }) => min.toFixed(0) },
    { title: 'max', cell: ({ max }) => max.toFixed(0) },
    { title: '× ours', cell: ({ median }) => (median / ours).toFixed(2) },
  ])
}
