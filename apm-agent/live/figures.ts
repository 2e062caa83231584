import type { Percentiles, Update } from '../../screen/live-messages.ts'
import { percentilesOf } from './latency-buckets.ts'
import type { PoolPulse, Pulse } from './pulse-protocol.ts'

type Figures = Omit<Update, 'atMs' | 'app' | 'ledger' | 'faults'>

/**
 * The figures of the app between the first and the last of some pulses; several instances are added up.
 * @param windows two or more pulses of each instance
 * @param seenByClients latencies that clients reported for that time; undefined while no client reports
 */
export function figuresOf(
  windows: readonly (readonly Pulse[])[],
  seenByClients?: Percentiles | null,
): Figures {
  const spans = windows.map(spanOf)
  const sum = (of: (span: Span) => number) => spans.reduce((total, span) => total + of(span), 0)
  const perSecond = (of: (pulse: Pulse) => number) =>
    sum(({ first, last, spentMs }) => ((of(last) - of(first)) / spentMs) * 1000)
  const grown = (of: (pulse: Pulse) => number) => sum(({ first, last }) => of(last) - of(first))
  const good = grown(({ requests }) => requests.good)
  const mainMicros = sum(span => cpuMicros(span, 'main'))
  const spentMs = sum(span => span.spentMs)
  const activeMs = grown(({ loop }) => loop.activeMs)
  const pausedMs = grown(({ gc }) => gc.pausedMs)
  const later = windows.flatMap(pulses => pulses.slice(1))
  return round({
    goodput: perSecond(({ requests }) => requests.good),
    bad: perSecond(({ requests }) => requests.bad),
    latencyAt: seenByClients === undefined ? 'server' : 'client',
    latencyMs:
      seenByClients === undefined
        ? percentilesOf(later.flatMap(({ latencies }) => latencies))
        : seenByClients,
    busy: share(mainMicros / 1000, spentMs),
    utilization: share(activeMs, activeMs + grown(({ loop }) => loop.idleMs)),
    costMicros: good > 0 ? mainMicros / good : null,
    ceiling: good > 0 && mainMicros > 0 ? (windows.length * 1e6 * good) / mainMicros : null,
    delayMs: worstDelay(later),
    gc: { share: share(pausedMs, spentMs), perSecond: perSecond(({ gc }) => gc.count) },
    lanes: spans.flatMap(lanesOf),
    pools: spans.flatMap(span => span.last.pools.map(pool => poolFigures(pool, span))),
  })
}

interface Span {
  readonly pulses: readonly Pulse[]
  readonly first: Pulse
  readonly last: Pulse
  readonly spentMs: number
}

function spanOf(pulses: readonly Pulse[]): Span {
  const [first, last] = [pulses[0] as Pulse, pulses.at(-1) as Pulse]
  return { pulses, first, last, spentMs: last.atMs - first.atMs }
}

const lanesOf = (span: Span) =>
  span.last.threads.map(({ name }) => ({
    name: nameAt(span.last, name),
    share: share(cpuMicros(span, name) / 1000, span.spentMs),
  }))

/** A thread name that is unique among several instances: `2: main` is the main thread of the second instance. */
const nameAt = ({ app: { place } }: Pulse, name: string) => (place ? `${place.number}: ${name}` : name)

/** CPU time that a thread used. A thread that replaced another in the same place begins at zero. */
function cpuMicros({ pulses, first }: Span, wanted: string): number {
  const find = ({ threads }: Pulse) => threads.find(({ name }) => name === wanted)?.cpuMicros
  const totals = [find(first) ?? 0, ...pulses.slice(1).flatMap(pulse => find(pulse) ?? [])]
  return totals.slice(1).reduce((sum, total, index) => {
    const before = totals[index] as number
    return sum + (total < before ? total : total - before)
  }, 0)
}

/** A part that is slightly larger than the whole, because two clocks differ, still gives a share of at most 1. */
const share = (part: number, whole: number): number =>
  whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0

function worstDelay(pulses: readonly Pulse[]): Pulse['delayMs'] {
  const delays = pulses.flatMap(({ delayMs }) => delayMs ?? [])
  if (delays.length === 0) return null
  const worst = (key: 'p99' | 'max') => Math.max(...delays.map(delay => delay[key]))
  return { p99: worst('p99'), max: worst('max') }
}

function poolFigures(now: PoolPulse, { first, last, spentMs }: Span) {
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

/** Rounds to four digits: a page shows no more, and updates are sent often. */
const round = <T>(figures: T): T =>
  JSON.parse(
    JSON.stringify(figures, (_, value) =>
      typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value,
    ),
  )
