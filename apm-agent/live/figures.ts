import { middleOf, type Pulse } from './pulse.ts'
import type { PoolFigures, Update } from './update.ts'

/**
 * What happened from the first of some pulses of one app to the last.
 * @param pulses two or more
 * @param seenByClients their latencies in that time; undefined where nobody tells
 */
export function figuresOf(
  pulses: readonly Pulse[],
  seenByClients?: Update['latencyMs'],
): Omit<Update, 'atMs' | 'app' | 'ledger'> {
  const [first, last] = [pulses[0] as Pulse, pulses.at(-1) as Pulse]
  const spentMs = last.atMs - first.atMs
  const perSecond = (count: number) => (count / spentMs) * 1000
  const good = last.requests.good - first.requests.good
  const mainMicros = cpuMicros(last, 'main') - cpuMicros(first, 'main')
  const activeMs = last.loop.activeMs - first.loop.activeMs
  const idleMs = last.loop.idleMs - first.loop.idleMs
  return round({
    goodput: perSecond(good),
    bad: perSecond(last.requests.bad - first.requests.bad),
    latencyAt: seenByClients === undefined ? 'server' : 'client',
    latencyMs:
      seenByClients === undefined
        ? percentilesOf(pulses.slice(1).flatMap(({ latencies }) => latencies))
        : seenByClients,
    utilization: share(activeMs, activeMs + idleMs),
    costMicros: good > 0 ? mainMicros / good : null,
    ceiling: good > 0 && mainMicros > 0 ? (1e6 * good) / mainMicros : null,
    delayMs: worstDelay(pulses.slice(1)),
    gc: {
      share: share(last.gc.pausedMs - first.gc.pausedMs, spentMs),
      perSecond: perSecond(last.gc.count - first.gc.count),
    },
    lanes: last.threads.map(({ name, cpuMicros: micros }) => ({
      name,
      share: share((micros - cpuMicros(first, name)) / 1000, spentMs),
    })),
    pools: last.pools.map(pool => poolFigures(pool, first, spentMs)),
  })
}

/** Of a thread; zero before it was there. */
const cpuMicros = ({ threads }: Pulse, wanted: string): number =>
  threads.find(({ name }) => name === wanted)?.cpuMicros ?? 0

/** Readings of two clocks may differ by a little: a share is one. */
const share = (part: number, whole: number): number =>
  whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0

/** Nearest rank, of values that are known to within 1 %. */
export function percentilesOf(counts: Pulse['latencies']): Update['latencyMs'] {
  const ordered = counts.toSorted(([one], [other]) => one - other)
  const total = ordered.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return null
  const percentile = (rank: number) => {
    let left = Math.ceil(total * rank)
    const found = ordered.find(([, count]) => {
      left -= count
      return left <= 0
    })
    return middleOf((found ?? ordered.at(-1))?.[0] as number)
  }
  return { p50: percentile(0.5), p90: percentile(0.9), p99: percentile(0.99) }
}

function worstDelay(pulses: readonly Pulse[]): Pulse['delayMs'] {
  const delays = pulses.flatMap(({ delayMs }) => delayMs ?? [])
  if (delays.length === 0) return null
  const worst = (key: 'p99' | 'max') => Math.max(...delays.map(delay => delay[key]))
  return { p99: worst('p99'), max: worst('max') }
}

function poolFigures(now: Pulse['pools'][number], first: Pulse, spentMs: number): PoolFigures {
  const { name, size, queueLength } = now
  const before = first.pools.find(pool => pool.name === name) ?? { tasks: 0, waitMs: 0, runMs: 0 }
  const tasks = now.tasks - before.tasks
  const runMs = now.runMs - before.runMs
  return {
    name,
    size,
    queueLength,
    busy: share(runMs, spentMs * size),
    waitMs: tasks > 0 ? (now.waitMs - before.waitMs) / tasks : null,
    runMs: tasks > 0 ? runMs / tasks : null,
  }
}

/** To four digits: updates are many, and nobody sees more. */
const round = <T>(figures: T): T =>
  JSON.parse(
    JSON.stringify(figures, (_, value) =>
      typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value,
    ),
  )
