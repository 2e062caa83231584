import { forEachConcern, namesOf } from '../app/concerns.ts'
import { appOptions } from '../app/config.ts'
import { firstStep, lastStep, stepNames } from '../app/steps.ts'
import {
  choice,
  choices,
  duration,
  integer,
  integers,
  text,
  toggle,
  type Values,
} from '../lib/cli/options.ts'
import { UserError } from '../lib/cli/user-error.ts'
import { scenarioNames } from './generator/scenarios.ts'
import { connections } from './generator/steady-options.ts'
import type { Settings } from './outcome/results.ts'
import { TURNS } from './statistics/thresholds.ts'

const stepChoices = { choices: stepNames, expected: `out of ${stepNames.join(', ')}` }

export const stepOptions = {
  step: {
    ...text({
      placeholder: 'NAME',
      help: 'measure one step, by number or name, with the implementations that are named below',
    }),
    ...stepChoices,
  },
  ...forEachConcern(concern =>
    choices({
      choices: namesOf(concern),
      help: `with --step: measure the step with each of these implementations of ${concern}`,
    }),
  ),
} as const

export const rowOptions = {
  steps: {
    ...text({
      placeholder: 'LIST',
      help: `steps to measure, by number or name, such as 0-3 or ${firstStep.name},${lastStep.name}; default all`,
    }),
    ...stepChoices,
  },
  ...stepOptions,
} as const

export const loadOptions = {
  scenario: choice({ choices: scenarioNames, default: 'demo', help: 'the requests of the load' }),
  connections,
} as const

/** Of /hello, beside the load of commands that measure how long it waits. */
export const BESIDE_RATE = 100

export const rate = integers({
  min: 1,
  max: 100_000,
  help: 'requests a second; a list gives a row for each rate',
})

export const samplingOptions = {
  threads: { ...appOptions.threads, help: 'threads (or processes) of each pool of the app' },
  budgetMs: duration({
    minMs: 1000,
    help: 'add blocks (a sample of each row) until the ratios are known narrowly or this time is spent (default 10m)',
  }),
  rounds: integer({ min: 1, max: 1000, help: 'measure exactly this many blocks instead' }),
  warmupMs: duration({
    minMs: 100,
    help: 'time under load before the measured window (default 2s; with --quick 1.5s)',
  }),
  durationMs: duration({
    minMs: 500,
    help: 'length of a measured window (default 4s, or 0.5s where rows are measured in turns; with --quick 0.5s or 1.5s)',
  }),
  seed: integer({
    min: 1,
    max: 1_000_000,
    help: 'seed of the order of the samples (default: drawn at random, and printed)',
  }),
  quick: toggle({
    help: 'find large differences, those of eight rows in under 90 s: each stack starts once, samples are short, most are of rows that are near a verdict; no spectrum, and --accept-noise',
  }),
  acceptNoise: toggle({
    help: 'let samples count however much other programs disturb them; they and all figures are marked as noisy',
  }),
  verbose: toggle({
    help: 'show all columns and tables, and a line for each sample',
  }),
  json: toggle({ help: 'print the results as JSON on stdout' }),
} as const

export type SamplingOptions = Values<typeof samplingOptions>

const DEFAULT_BUDGET_MS = 600_000
/** Leaves time, of 90 s, to start the load test, and to write the report. */
const QUICK_MS = 83_000
/** Defaults: a window of a kept stack is short, because it pays for no start. */
const SAMPLING = {
  kept: { warmupMs: 1500, durationMs: 500 },
  quick: { warmupMs: 1500, durationMs: 1500 },
  turns: { warmupMs: 2000, durationMs: 500 },
  whole: { warmupMs: 2000, durationMs: 4000 },
} as const

export const drawSeed = (): number => 1 + Math.floor(Math.random() * 1_000_000)

/**
 * @param load `keepsStacks` says that stacks may be kept for many windows, as no load comes on a schedule or beside another. A
 * quick run keeps them all the time, and any other for the turns of a block.
 * @throws UserError when the options contradict each other
 */
export function settingsFrom(
  command: string,
  options: SamplingOptions,
  load: Pick<Settings, 'scenario' | 'connections'> &
    Partial<
      Pick<Settings, 'beside' | 'besideRate' | 'spectrum' | 'baseline' | 'cores' | 'decisive' | 'keepsStacks'>
    >,
): Settings {
  const { budgetMs, rounds } = options
  if (budgetMs !== undefined && rounds !== undefined) {
    throw new UserError('--budget adds blocks as long as they are needed; leave out --rounds')
  }
  const looks = options.quick && rounds === undefined
  const defaultBudgetMs = looks ? QUICK_MS : DEFAULT_BUDGET_MS
  const keepsStacks = options.quick && load.keepsStacks
  const turns = load.keepsStacks && !options.quick ? TURNS : undefined
  const kind = keepsStacks ? 'kept' : options.quick ? 'quick' : turns ? 'turns' : 'whole'
  const { warmupMs, durationMs } = SAMPLING[kind]
  return {
    command,
    // The command that plans the run saves its flags here.
    arguments: [],
    scenario: load.scenario,
    connections: load.connections,
    beside: load.beside ?? null,
    besideRate: load.besideRate ?? null,
    cores: load.cores ?? null,
    decisive: load.decisive ?? 'mainThreadMicros',
    spectrum: load.spectrum ?? false,
    baseline: load.baseline ?? 'previous',
    threads: options.threads,
    rounds: rounds ?? 0,
    budgetSeconds: rounds === undefined ? (budgetMs ?? defaultBudgetMs) / 1000 : null,
    ...(looks && { looks }),
    ...(keepsStacks && { keepsStacks }),
    ...(turns && { turns }),
    ...((options.acceptNoise || options.quick) && { acceptNoise: true }),
    warmupSeconds: (options.warmupMs ?? warmupMs) / 1000,
    durationSeconds: (options.durationMs ?? durationMs) / 1000,
    seed: options.seed ?? drawSeed(),
  }
}
