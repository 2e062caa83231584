import { availableParallelism } from 'node:os'
import { signals } from '../../lib/processes/protocol.ts'
import { record } from '../../lib/record.ts'
import { startGenerator } from './generator-process.ts'
import type { Ledger } from './ledger.ts'
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
