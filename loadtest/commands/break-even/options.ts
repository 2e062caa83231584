import { toFlags } from '../../../lib/cli/command-line.ts'
import { choice, duration, integer, integers, type Values } from '../../../lib/cli/options.ts'
import { UserError } from '../../../lib/cli/user-error.ts'
import { natsServerPath } from '../../../stack/nats-server.ts'
import { taskNames } from '../../../workers/tasks.ts'
import { QUICK_SECONDS, samplingOptions } from '../../options.ts'
import { drawSeed } from '../../settings-from.ts'
import { calibrate } from './calibrate.ts'
import { planCells } from './cells.ts'
import type { BreakEvenSettings } from './results.ts'
import { tasks } from './tasks.ts'
import { tasks as tasksOfApp } from './tasks-of-app.ts'
import { describeLongTurns } from './words.ts'

const { threads, seed, json, quick, acceptNoise } = samplingOptions

export const breakEvenOptions = {
  task: choice({
    choices: taskNames,
    help: 'measure a task of the app, whose smallest input is repeated up to each length (default: a loop)',
  }),
  lengths: integers({
    min: 1,
    max: 1_000_000,
    help: 'CPU microseconds of a task (default 10,30,100,… to 100000; with --quick 10,100,… to 100000)',
  }),
  payloads: integers({
    min: 1,
    max: 10_000_000,
    help: 'bytes that are sent with a task and come back (default 100,10000,1000000; with --quick 100,1000000)',
  }),
  concurrency: integers({
    min: 1,
    max: 1000,
    default: '1,16',
    help: 'clients; each asks again once it is answered',
  }),
  threads,
  roundTripMs: duration({
    help: 'measure tasks over NATS too, with a worker that is further away by this round trip: 0ms, 0.1ms, 1ms',
  }),
  rounds: integer({
    min: 1,
    max: 1000,
    help: 'samples of every cell, message and start (default 6; with --quick 2)',
  }),
  durationMs: duration({ minMs: 20, help: 'length of each of the two windows of a sample (default 200ms)' }),
  seed,
  acceptNoise,
  quick: {
    ...quick,
    help: `two rounds of a coarser grid, with --accept-noise: a first look in under ${QUICK_SECONDS} s`,
  },
  json,
} as const

const FULL = {
  lengthsMicros: [10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000],
  payloadsBytes: [100, 10_000, 1_000_000],
  rounds: 6,
} as const
const QUICK = {
  lengthsMicros: [10, 100, 1000, 10_000, 100_000],
  payloadsBytes: [100, 1_000_000],
  rounds: 2,
} as const
const WINDOW_MS = 200

/**
 * Reads the settings and calibrates the task. Nothing else should run on the machine during this fraction of a
 * second.
 * @throws UserError when nothing is left to measure
 */
export function settingsFrom(options: Values<typeof breakEvenOptions>): BreakEvenSettings {
  const defaults = options.quick ? QUICK : FULL
  const { task } = options
  const iterationsPerMicro = calibrate(task ? tasksOfApp[task] : tasks.burn)
  // A task of the app ends after a whole number of repetitions.
  const feasible = (micros: number) =>
    Math.round(Math.max(1, Math.round(micros * iterationsPerMicro)) / iterationsPerMicro)
  const axes = {
    lengthsMicros: ascending((options.lengths ?? defaults.lengthsMicros).map(feasible)),
    payloadsBytes: ascending(options.payloads ?? defaults.payloadsBytes),
    concurrencies: ascending(options.concurrency),
    roundTripMs: options.roundTripMs,
  }
  if (options.roundTripMs !== undefined && natsServerPath === undefined)
    throw new UserError('--round-trip needs a nats-server on the path')
  if (planCells(axes).length === 0) {
    throw new UserError(`no length is short enough to be measured; ${describeLongTurns(axes).join('; ')}`)
  }
  const chosen = {
    lengths: axes.lengthsMicros,
    payloads: axes.payloadsBytes,
    concurrency: axes.concurrencies,
    rounds: options.rounds ?? defaults.rounds,
    durationMs: options.durationMs ?? WINDOW_MS,
    seed: options.seed ?? drawSeed(),
    acceptNoise: options.acceptNoise || options.quick,
  }
  const { rounds, seed, acceptNoise } = chosen
  return {
    command: 'break-even',
    arguments: toFlags({ ...options, ...chosen, json: undefined }),
    ...(task && { task }),
    ...axes,
    threads: options.threads,
    rounds,
    windowMs: chosen.durationMs,
    seed,
    iterationsPerMicro,
    acceptNoise,
    ...(options.quick && { promisedSeconds: QUICK_SECONDS }),
  }
}

const ascending = (values: readonly number[]) => [...new Set(values)].sort((a, b) => a - b)
