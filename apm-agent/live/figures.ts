import { middleOf, type Pulse } from './pulse.ts'
import type { PoolFigures, Update } from './update.ts'

/**
 * What happened from the first of some pulses to the last, of all instances of an app together.
 * @param windows of each instance two pulses or more
 * @param seenByClients their latencies in that time; undefined where nobody tells
 */
export function figuresOf(
  windows: readonly (readonly Pulse[])[],
  seenByClients?: Update['latencyMs'],
): Omit<Update, 'atMs' | 'app' | 'ledger' | 'faults'> {
  const spans = windows.map(spanOf)
  const sum = (of: (span: Span) => number) => spans.reduce((total, span) => total + of(span), 0)
  const perSecond = (of: (pulse: Pulse) => number) =>
    sum(({ first, last, spentMs }) => ((of(last) - of(first)) / spentMs) * 1000)
  const grown = (of: (pulse: Pulse) => number) => sum(({ first, last }) => of(last) - of(first))
  const good = grown(({ requests }) => requests.good)
  const mainMicros = grown(pulse => cpuMicros(pulse, 'main'))
  const activeMs = grown(({ loop }) => loop.activeMs)
  const later = windows.flatMap(pulses => pulses.slice(1))
  return round({
    goodput: perSecond(({ requests }) => requests.good),
    bad: perSecond(({ requests }) => requests.bad),
    latencyAt: seenByClients === undefined ? 'server' : 'client',
    latencyMs:
      seenByClients === undefined
        ? percentilesOf(later.flatMap(({ latencies }) => latencies))
        : seenByClients,
    utilization: share(activeMs, activeMs + grown(({ loop }) => loop.idleMs)),
    costMicros: good > 0 ? mainMicros / good : null,
    ceiling: good > 0 && mainMicros > 0 ? (windows.length * 1e6 * good) / mainMicros : null,
    delayMs: worstDelay(later),
    gc: {
      share: share(
        grown(({ gc }) => gc.pausedMs),
        sum(({ spentMs }) => spentMs),
      ),
      perSecond: perSecond(({ gc }) => gc.count),
    },
    lanes: spans.flatMap(lanesOf),
    pools: spans.flatMap(span => span.last.pools.map(pool => poolFigures(pool, span))),
  })
}

interface Span {
  readonly first: Pulse
  readonly last: Pulse
  readonly spentMs: number
}

function spanOf(pulses: readonly Pulse[]): Span {
  const [first, last] = [pulses[0] as Pulse, pulses.at(-1) as Pulse]
  return { first, last, spentMs: last.atMs - first.atMs }
}

const lanesOf = ({ first, last, spentMs }: Span) =>
  last.threads.map(({ name, cpuMicros: micros }) => ({
    name: nameAt(last, name),
    share: share((micros - cpuMicros(first, name)) / 1000, spentMs),
  }))

/** `2: main` of the second of several instances. */
const nameAt = ({ app: { place } }: Pulse, name: string) => (place ? `${place.number}: ${name}` : name)

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

function poolFigures(now: Pulse['pools'][number], { first, last, spentMs }: Span): PoolFigures {
  const { name, size, queueLength } = now
  const before = first.pools.find(pool => pool.name === name) ?? { tasks: 0, waitMs: 0, runMs: 0 }
  const tasks = now.tasks - before.tasks
  const runMs = now.runMs - before.runMs
  return {
    name: nameAt(last, name),
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
