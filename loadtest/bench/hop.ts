import type { renderColumns } from '../../lib/cli/columns.ts'
import { fixed, formatRatio } from '../outcome/format.ts'
import { install } from '../peers/install.ts'
import { median } from '../statistics/median.ts'
import { type Bench, ratioOf, type Samples } from './bench.ts'

/** The other pools; see `openPools`. */
const peers = ['Piscina', 'Piscina, 16 a thread', 'Tinypool', 'Tinypool, 16 a thread']
const RATE = ', tasks a second'
const loads = [20, 200, 2000].flatMap(taskMicros => [1, 16, 200].map(atOnce => ({ taskMicros, atOnce })))
const sayLoad = ({ taskMicros, atOnce }: (typeof loads)[number]) => `${taskMicros} µs, ${atOnce} at once`
const cases = new Map<string, () => Promise<unknown>>()
let close = async () => {}

export const hop: Bench = {
  name: 'hop',
  description: `CPU microseconds of the main thread for a task in a pool of two threads. A task hashes bytes, for so long, with so many
tasks at once, over that of the best other pool: Piscina, Tinypool, and both with 16 tasks a thread. The pools take turns in one process.`,
  async prepare() {
    await install()
    const { hashed, openPools } = await import('../peers/hop.ts')
    const pools = await openPools()
    close = async () => {
      for (const pool of Object.values(pools)) await pool.close()
    }
    const bytesPerMicro = 2 ** 20 / cpuMicros(() => hashed(2 ** 20))
    for (const load of loads)
      for (const [pool, { run }] of Object.entries(pools))
        cases.set(`${sayLoad(load)}: ${pool}`, () => run(Math.round(load.taskMicros * bytesPerMicro)))
    for (const name of cases.keys()) if (name.startsWith('20 ')) await hop.take(name, 200)
    return [...cases.keys()]
  },
  defaultDuration: '300ms',
  async take(name, durationMs) {
    const run = cases.get(name) as () => Promise<unknown>
    const atOnce = Number(/(\d+) at once/.exec(name)?.[1])
    const beganAtMs = performance.now()
    const until = beganAtMs + durationMs
    let tasks = 0
    const before = process.threadCpuUsage()
    const give = async () => {
      for (; performance.now() < until; tasks++) await run()
    }
    await Promise.all(Array.from({ length: atOnce }, give))
    const { user, system } = process.threadCpuUsage(before)
    return {
      '': (user + system) / tasks,
      [RATE]: (tasks / (performance.now() - beganAtMs)) * 1000,
    }
  },
  close: () => close(),
  render: renderHop,
}

/** A table of the loads: this pool, and its ratios to the best of the others. */
export function renderHop(samples: Samples, render: typeof renderColumns): string {
  const rows = loads.map(load => {
    const of = (pool: string, what = '') => samples[`${sayLoad(load)}: ${pool}${what}`] ?? []
    const pools = peers.map(pool => ({ pool, micros: median(of(pool)), rate: median(of(pool, RATE)) }))
    const cheapest = pools.reduce((best, each) => (Number(each.micros) < Number(best.micros) ? each : best))
    const fastest = pools.reduce((best, each) => (Number(each.rate) > Number(best.rate) ? each : best))
    return {
      load: sayLoad(load),
      micros: fixed(median(of('ours')), 1),
      best: `${cheapest.pool}: ${fixed(cheapest.micros, 1)}`,
      cost: ratioOf(of('ours'), of(cheapest.pool)),
      rate: ratioOf(of('ours', RATE), of(fastest.pool, RATE)),
    }
  })
  return render(rows, [
    { title: 'tasks', cell: ({ load }) => load },
    { title: 'µs', cell: ({ micros }) => micros },
    { title: 'best other', cell: ({ best }) => best },
    { title: 'µs × best other', cell: ({ cost }) => formatRatio(cost, 2) },
    { title: 'tasks a second × best other', cell: ({ rate }) => formatRatio(rate, 2) },
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
