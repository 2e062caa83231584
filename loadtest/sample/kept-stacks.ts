import { availableParallelism } from 'node:os'
import { signals } from '../../lib/processes/protocol.ts'
import { seededRandom, shuffled } from '../../lib/random.ts'
import { record } from '../../lib/record.ts'
import type { Latency, Measurement } from '../generator/protocol.ts'
import type { Generated } from './generate-load.ts'
import { startGenerator } from './generator-process.ts'
import type { Ledger } from './ledger.ts'
import type { MachineUse } from './machine.ts'
import { type Row, withScenarioOf } from './rows.ts'
import type { Sample, SampleSettings } from './sample.ts'
import { type Subject, startSubject } from './subject.ts'
import { judgeMeasured, type Measured, measureSubject } from './take-sample.ts'

/** Time in which the load of a warm stack becomes steady again. */
const STEADY_SECONDS = 0.15

/** The ledger of a stack is known when it ends, so the samples before that have an empty one. */
const NOTHING_YET = record(signals, () => ({ emitted: 0, delivered: 0, dropped: 0, rejected: 0 })) as Ledger

/** A stack of every row, idle but for the one that is measured. */
export interface KeptStacks {
  /** Puts load on the stack of a row, and measures one window. The first warm-up of a stack has its full length. */
  measure(row: Row, block: number): Promise<Measured>
  /** Measures, and makes a sample of this window alone. */
  take(row: Row, block: number): Promise<Sample>
  /** Stops all stacks. A second call has no effect, and the same result. */
  stop(): Promise<ReadonlyMap<Row, Ledger>>
}

/**
 * Starts a stack of every row, as many at once as there are cores.
 * @throws Error when one of them does not start, or answers wrongly; none is left then
 */
export async function keepStacks(
  rows: readonly Row[],
  settings: SampleSettings,
  abort: AbortSignal,
): Promise<KeptStacks> {
  const subjects = new Map<Row, Subject>()
  const warm = new Set<Row>()
  const stopAll = async () =>
    new Map(
      await Promise.all([...subjects].map(async ([row, subject]) => [row, await subject.stop()] as const)),
    )

  const waiting = [...rows]
  async function startInTurn(): Promise<void> {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      const own = withScenarioOf(row, settings)
      const note = `${row.name}, ${own.scenario}`
      subjects.set(row, await startSubject(row, own, abort, { note }))
    }
  }
  const starting = Array.from({ length: availableParallelism() }, startInTurn)
  try {
    await Promise.all(starting)
  } catch (error) {
    waiting.length = 0
    await Promise.allSettled(starting)
    await stopAll()
    throw error
  }

  const generator = startGenerator(abort)
  function measure(row: Row, block: number): Promise<Measured> {
    const warmupSeconds = warm.has(row) ? STEADY_SECONDS : settings.warmupSeconds
    warm.add(row)
    const own = { ...withScenarioOf(row, settings), warmupSeconds }
    return measureSubject(subjects.get(row) as Subject, block, own, abort, generator)
  }
  return {
    measure,
    take: async (row, block) =>
      judgeMeasured(row, block, await measure(row, block), NOTHING_YET, settings.acceptNoise),
    stop() {
      generator.kill()
      return stopAll()
    },
  }
}

/** Seeds of turns: those of two blocks have nothing in common. */
const MOST_TURNS = 1000

/**
 * Takes a sample of each row: starts a fresh stack of each, warms it up, and measures all of them in many short turns, in an
 * order drawn for each turn, so that a disturbance meets all rows alike. Rows of another scenario run after the first.
 * @param tell called before each turn of a row
 * @throws Error when a stack does not start or answers wrongly
 */
export async function takeInTurns(
  rows: readonly Row[],
  block: number,
  settings: SampleSettings,
  abort: AbortSignal,
  tell: (row: Row) => void = () => {},
  keep: typeof keepStacks = keepStacks,
): Promise<Map<Row, Sample>> {
  const samples = new Map<Row, Sample>()
  for (const group of Map.groupBy(rows, ({ scenario }) => scenario).values()) {
    const kept = await keep(group, settings, abort)
    const measured = new Map(group.map((row): [Row, Measured[]] => [row, []]))
    let ledgers: ReadonlyMap<Row, Ledger>
    try {
      for (let turn = 1; turn <= (settings.turns ?? 1); turn++)
        for (const row of shuffled(group, seededRandom((settings.seed + block) * MOST_TURNS + turn))) {
          abort.throwIfAborted()
          tell(row)
          measured.get(row)?.push(await kept.measure(row, block))
        }
    } finally {
      ledgers = await kept.stop()
    }
    for (const [row, turns] of measured) {
      const ledger = ledgers.get(row) as Ledger
      samples.set(row, judgeMeasured(row, block, addUp(turns), ledger, settings.acceptNoise))
    }
  }
  return samples
}

/** The turns of one stack as one measurement. */
function addUp(turns: readonly Measured[]): Measured {
  const [first, ...others] = turns as [Measured, ...Measured[]]
  return others.reduce(
    (sum, { generated, restarted }) => ({
      generated: addGenerated(sum.generated, generated),
      restarted: sum.restarted ?? restarted,
    }),
    first,
  )
}

const addGenerated = (one: Generated, other: Generated): Generated => ({
  ...other,
  measurement: addMeasurements(one.measurement, other.measurement),
  machine: one.machine && other.machine && addUse(one, other),
})

/** The mean of values of two measurements, each of which counts for so much. */
const meanOf = (weight: number, otherWeight: number) => (one: number, other: number) =>
  (one * weight + other * otherWeight) / Math.max(1, weight + otherWeight)

function addUse(one: Generated, other: Generated): MachineUse {
  const [a, b] = [one.machine as MachineUse, other.machine as MachineUse]
  const mean = meanOf(one.measurement.durationMs, other.measurement.durationMs)
  return {
    ...record(['stealShare', 'othersShare', 'ownShare'], share => mean(a[share], b[share])),
    waitRatio: a.waitRatio === null || b.waitRatio === null ? null : mean(a.waitRatio, b.waitRatio),
  }
}

/** Counts and times add up; shares of time are means, and percentiles means over the responses. */
function addMeasurements(one: Measurement, other: Measurement): Measurement {
  const overTime = meanOf(one.durationMs, other.durationMs)
  const overResponses = meanOf(one.responses, other.responses)
  const latency = (a: Latency, b: Latency): Latency => ({
    ...record(['p50', 'p90', 'p99'], percentile => overResponses(a[percentile], b[percentile])),
    max: Math.max(a.max, b.max),
  })
  return {
    ...add(one, other),
    restarts: other.restarts,
    mainThreadUtilization: overTime(one.mainThreadUtilization, other.mainThreadUtilization),
    generatorUtilization: overTime(one.generatorUtilization, other.generatorUtilization),
    latencyMs: latency(one.latencyMs, other.latencyMs),
    firstByteMs: latency(one.firstByteMs, other.firstByteMs),
    latenessMs: one.latenessMs && other.latenessMs && latency(one.latenessMs, other.latenessMs),
  }
}

/** Adds all numbers of two objects of the same shape; what one of the two does not know stays null. */
function add<T>(one: T, other: T): T {
  if (typeof one === 'number' && typeof other === 'number') return (one + other) as T
  if (typeof one !== 'object' || !one || !other) return null as T
  const keys = Object.keys(one) as (keyof T)[]
  return Object.fromEntries(keys.map(key => [key, add(one[key], other[key])])) as T
}
