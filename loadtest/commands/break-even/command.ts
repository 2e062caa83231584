import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { toFlags } from '../../../lib/cli/command-line.ts'
import { duration, integer, type Values } from '../../../lib/cli/options.ts'
import { UserError } from '../../../lib/cli/user-error.ts'
import { measuringCommand } from '../../declaration/command.ts'
import { drawSeed, samplingOptions } from '../../options.ts'
import { measureRounds } from '../../run/rounds.ts'
import { findNoise } from '../../sample/validity.ts'
import { describeCell, breakEvenPresentation as presentation } from './presentation.ts'
import { type Cell, gridComputes, type Order, type Reply } from './protocol.ts'
import {
  type BreakEvenResults,
  type BreakEvenSettings,
  type Findings,
  type Sample,
  summarize,
} from './results.ts'
import { tasks } from './tasks.ts'

const { threads, seed, json, acceptNoise } = samplingOptions

const options = {
  threads,
  rounds: integer({ min: 1, max: 1000, default: '6', help: 'samples of every cell' }),
  durationMs: duration({ minMs: 20, default: '200ms', help: 'length of the window of a sample' }),
  seed,
  acceptNoise,
  json,
} as const

export const breakEven = measuringCommand<typeof options, BreakEvenResults>({
  name: 'break-even',
  description:
    'Finds the length from which on a task costs the main thread less in threads and in processes than inline.',
  options,
  presentation,
  measure: (values, abort) => runBreakEven(settingsFrom(values), abort),
})

const LENGTHS_MICROS = [10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000]

/** All points of the grid would take an hour. Logarithms of costs are nearly straight lines between every third length. */
const lines = [
  { payloadBytes: 100, concurrency: 1, lengthsMicros: LENGTHS_MICROS },
  // Longer ones, 16 at a time, would block a main thread for more than 100 ms, which shows nothing new.
  { payloadBytes: 100, concurrency: 16, lengthsMicros: LENGTHS_MICROS.slice(0, 6) },
  { payloadBytes: 10_000, concurrency: 1, lengthsMicros: [10, 300, 10_000] },
  { payloadBytes: 1_000_000, concurrency: 1, lengthsMicros: [10, 300, 10_000] },
] as const

const cells: readonly Cell[] = lines.flatMap(({ lengthsMicros, ...line }) =>
  lengthsMicros.flatMap(lengthMicros => gridComputes.map(compute => ({ compute, lengthMicros, ...line }))),
)

/** Reads the settings and calibrates the task. Nothing else should run on the machine during this fraction of a second. */
function settingsFrom(given: Values<typeof options>): BreakEvenSettings {
  const chosen = { ...given, seed: given.seed ?? drawSeed() }
  const { durationMs: windowMs, json, ...others } = chosen
  return {
    command: 'break-even',
    arguments: toFlags({ ...chosen, json: undefined }),
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

/** Measures every cell once a round, each in a process of its own. */
function runBreakEven(settings: BreakEvenSettings, abort: AbortSignal): Promise<BreakEvenResults> {
  const { threads, windowMs: durationMs, iterationsPerMicro, acceptNoise } = settings
  return measureRounds<Cell, Sample, BreakEvenSettings, Findings>(
    {
      ...{ settings, summarize, rows: cells },
      nameOf: describeCell,
      take: (cell, round) =>
        takeSample({ cell, threads, durationMs, iterationsPerMicro }, round, abort, acceptNoise),
    },
    abort,
  )
}

/**
 * Measures one order in a process of its own, which has ended with all that it started when this returns.
 * @throws Error when it cannot be measured, or `abort` is aborted
 */
export async function takeSample(
  order: Order,
  round: number,
  abort: AbortSignal,
  acceptsNoise = false,
): Promise<Sample> {
  abort.throwIfAborted()
  const subject = fork(join(import.meta.dirname, 'subject.ts'))
  const ended = once(subject, 'exit')
  const end = () => subject.connected && subject.disconnect()
  abort.addEventListener('abort', end)
  try {
    subject.send(order)
    const reply = await Promise.race([
      once(subject, 'message').then(([message]) => message as Reply),
      ended.then(([code, signal]) => {
        throw new UserError(`the process that is measured ended with ${signal ?? code}`)
      }),
    ])
    if (reply.kind === 'failed') throw new Error(`what is measured failed: ${reply.message}`)
    const noise = findNoise(reply.report.machine)
    const reason = noise?.refuses && !acceptsNoise ? noise.reason : null
    return { ...reply.report, round, valid: reason === null, reason, noise: noise?.reason ?? null }
  } finally {
    abort.removeEventListener('abort', end)
    end()
    await ended
  }
}
