import { toFlags } from '../../../lib/cli/command-line.ts'
import { duration, integer, type Values } from '../../../lib/cli/options.ts'
import { measuringCommand } from '../../declaration/command.ts'
import { drawSeed, samplingOptions } from '../../options.ts'
import type { Telling } from '../../run/measure.ts'
import { measureRounds } from '../../run/rounds.ts'
import { planCells } from './cells.ts'
import { breakEvenPresentation as presentation } from './presentation.ts'
import { describeOrder, type Order, startNames } from './protocol.ts'
import {
  type AnySample,
  type BreakEvenResults,
  type BreakEvenSettings,
  type Findings,
  summarize,
} from './results.ts'
import { takeSample } from './take.ts'
import { tasks } from './tasks.ts'

const { threads, seed, json, acceptNoise } = samplingOptions

const options = {
  threads,
  rounds: integer({ min: 1, max: 1000, default: '6', help: 'samples of every cell and start' }),
  durationMs: duration({
    minMs: 20,
    default: '200ms',
    help: 'length of each of the two windows of a sample',
  }),
  seed,
  acceptNoise,
  json,
} as const

export const breakEven = measuringCommand<typeof options, BreakEvenResults>({
  name: 'break-even',
  description: `Finds the length from which on a task should leave the main thread: its cost on the main thread and the delay that it
causes others, inline, in threads and in processes. Also measures how long a thread and a process take to start, and
how much memory they add.`,
  options,
  presentation,
  measure: (values, abort) => runBreakEven(settingsFrom(values), abort),
})

const AXES = {
  lengthsMicros: [10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000],
  payloadsBytes: [100, 10_000, 1_000_000],
  /** Clients; each asks again once it is answered. */
  concurrencies: [1, 16],
} as const

/** Reads the settings and calibrates the task. Nothing else should run on the machine during this fraction of a second. */
function settingsFrom(given: Values<typeof options>): BreakEvenSettings {
  const chosen = { ...given, seed: given.seed ?? drawSeed() }
  const { durationMs: windowMs, json, ...others } = chosen
  return {
    command: 'break-even',
    arguments: toFlags({ ...chosen, json: undefined }),
    ...AXES,
    ...others,
    windowMs,
    iterationsPerMicro: calibrate(),
  }
}

const CALIBRATION = { leastMs: 1, tries: 200 } as const

/**
 * Finds how many iterations of a task take a microsecond on an undisturbed core: in the fastest of many tries, because
 * every disturbance makes a try slower.
 */
function calibrate(): number {
  const timeMs = (iterations: number) => {
    const startedAtMs = performance.now()
    tasks.burn({ iterations, payload: '' })
    return performance.now() - startedAtMs
  }
  let iterations = 1
  while (timeMs(iterations) < CALIBRATION.leastMs) iterations *= 2
  const fastestMs = Math.min(...Array.from({ length: CALIBRATION.tries }, () => timeMs(iterations)))
  return iterations / (fastestMs * 1000)
}

/** Everything that a run does outside of its own memory; tests put their own in its place. */
interface Instruments {
  readonly take: typeof takeSample
  readonly save?: (results: BreakEvenResults) => void
  readonly progress?: Telling<Order, AnySample, unknown>
}

/** A guess of the time to start and stop a process, to start its pool and to warm it up. */
const GUESSED_OVERHEAD_MS = 200

/** Measures everything once a round, each in a process of its own. */
export function runBreakEven(
  settings: BreakEvenSettings,
  abort: AbortSignal,
  { take, ...others }: Instruments = { take: takeSample },
): Promise<BreakEvenResults> {
  const { threads, windowMs: durationMs, iterationsPerMicro, acceptNoise } = settings
  const rows: readonly Order[] = [
    ...planCells(settings).map(
      cell => ({ kind: 'cell', cell, threads, durationMs, iterationsPerMicro }) as const,
    ),
    ...startNames.map(name => ({ kind: 'start', name }) as const),
  ]
  return measureRounds<Order, AnySample, BreakEvenSettings, Findings>(
    {
      ...{ ...others, settings, summarize, rows },
      nameOf: describeOrder,
      sampleMs: 2 * durationMs + GUESSED_OVERHEAD_MS,
      take: (order, round) => take(order, round, abort, acceptNoise),
    },
    abort,
  )
}
