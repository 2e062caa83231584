import type { renderColumns } from '../../lib/cli/columns.ts'
import { fixed, formatRatio } from '../outcome/format.ts'
import { install } from '../peers/install.ts'
import { median } from '../statistics/median.ts'
import { type Bench, ratioOf, type Samples } from './bench.ts'

const OURS = 'ours'
const loads = [20, 200, 2000].flatMap(taskMicros => [1, 16, 200].map(atOnce => ({ taskMicros, atOnce })))
const cases = new Map<string, () => Promise<unknown>>()
/** Ends what was prepared. */
let close = async () => {}
const names: { readonly load: string; readonly pool: string; readonly name: string }[] = []

export const hop: Bench = {
  name: 'hop',
  description: `CPU microseconds of the main thread for a task in a pool of two threads. A task hashes bytes, for so long, with so many
tasks at once. The pools take turns in one process.`,
  async prepare() {
    await install()
    const { hashed, openPools } = await import('../peers/hop.ts')
    const pools = await openPools()
    close = async () => {
      for (const pool of Object.values(pools)) await pool.close()
    }
    const bytesPerMicro = 2 ** 20 / cpuMicros(() => hashed(2 ** 20))
    for (const { taskMicros, atOnce } of loads)
      for (const [pool, { run }] of Object.entries(pools)) {
        const load = `${taskMicros} µs, ${atOnce} at once`
        const name = `${load}: ${pool}`
        names.push({ load, pool, name })
        cases.set(name, () => run(Math.round(taskMicros * bytesPerMicro)))
      }
    for (const { name } of names.filter(({ load }) => load.startsWith('20 '))) await hop.take(name, 200)
    return [...cases.keys()]
  },
  defaultDuration: '300ms',
  overheadMs: 100,
  async take(name, durationMs) {
    const run = cases.get(name) as () => Promise<unknown>
    const atOnce = Number(/(\d+) at once/.exec(name)?.[1])
    const until = performance.now() + durationMs
    let tasks = 0
    const before = process.threadCpuUsage()
    const give = async () => {
      for (; performance.now() < until; tasks++) await run()
    }
    await Promise.all(Array.from({ length: atOnce }, give))
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / tasks
  },
  close: () => close(),
  render: renderHop,
}

/** A table of all loads and pools, with their ratios to ours. */
function renderHop(samples: Samples, render: typeof renderColumns): string {
  const rows = names.map(({ load, pool, name }) => ({
    load,
    pool,
    median: fixed(median(samples[name] ?? []), 1),
    ratio: ratioOf(samples[name] ?? [], samples[`${load}: ${OURS}`] ?? []),
  }))
  return render(rows, [
    { title: 'task', cell: ({ load }) => load },
    { title: 'pool', cell: ({ pool }) => pool },
    { title: 'µs', cell: ({ median }) => median },
    { title: '× ours', cell: ({ ratio }) => formatRatio(ratio, 2) },
  ])
}

/** The CPU time of a call, as the mean of many. */
function cpuMicros(call: () => unknown): number {
  const CALLS = 20
  const before = process.threadCpuUsage()
  for (let at = 0; at < CALLS; at++) call()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / CALLS
}
