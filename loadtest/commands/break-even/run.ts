import { seededRandom, shuffled } from '../../../lib/random.ts'
import { readEnvironment } from '../../outcome/environment.ts'
import { isNoisy } from '../../outcome/noisy.ts'
import { saveResults } from '../../outcome/results-file.ts'
import { isOpen } from '../../run/stopping.ts'
import { planCells } from './cells.ts'
import { createProgress, type Progress } from './progress.ts'
import { channels, type Order, startNames } from './protocol.ts'
import type { BreakEvenResults, BreakEvenSettings } from './results.ts'
import { takeSample } from './sample.ts'
import { summarize, type Taken } from './summarize.ts'

/** Everything that a run does outside of its own memory; tests put their own in its place. */
export interface Instruments {
  readonly take: typeof takeSample
  readonly save: (results: BreakEvenResults) => void
  readonly progress: Progress
}

/**
 * Measures everything once a round, in an order drawn for the round, and saves the results after every sample.
 * @returns the results so far when `abort` is aborted
 * @throws Error when something cannot be measured; all samples before it are saved
 */
export async function runBreakEven(
  settings: BreakEvenSettings,
  abort: AbortSignal,
  { take, save, progress }: Instruments = { take: takeSample, save: saveResults, progress: createProgress() },
): Promise<BreakEvenResults> {
  const environment = readEnvironment()
  const taken: Taken[] = planOrders(settings).map(order => ({ order, samples: [] }))
  const results = (partial: boolean): BreakEvenResults => ({
    schemaVersion: 1,
    kind: 'break-even',
    partial,
    noisy: taken.some(({ samples }) => samples.some(isNoisy)),
    environment,
    settings,
    ...summarize(taken),
  })
  save(results(true))
  progress.plan(results(true), taken.length)
  try {
    for (let round = 1; round <= settings.rounds; round++) {
      let open = shuffled(taken, seededRandom(settings.seed * 1000 + round))
      // A refused sample is taken again at the end of the round: its disturbance may be over by then.
      while (open.length > 0) {
        for (const { order, samples } of open) {
          const sample = await take(order, round, abort, settings.acceptNoise)
          samples.push(sample)
          save(results(true))
          progress.finished(order, sample)
        }
        open = open.filter(({ samples }) => isOpen(samples, round))
      }
    }
  } catch (error) {
    if (!abort.aborted) throw error
    return results(true)
  }
  save(results(false))
  return results(false)
}

/** Plans everything that is measured once in every round, each in a process of its own. */
function planOrders(settings: BreakEvenSettings): Order[] {
  const { task, threads, windowMs: durationMs, iterationsPerMicro, payloadsBytes, roundTripMs } = settings
  const cells = planCells(settings).map(
    cell => ({ kind: 'cell', task, cell, threads, durationMs, iterationsPerMicro, roundTripMs }) as const,
  )
  const payloadBytes = payloadsBytes[0] ?? 0
  const hops = channels.map(
    channel => ({ kind: 'hop', hop: { channel, payloadBytes }, durationMs: durationMs / 2 }) as const,
  )
  const starts = startNames.map(name => ({ kind: 'start', name }) as const)
  return [...cells, ...hops, ...starts, { kind: 'idle', durationMs }]
}
