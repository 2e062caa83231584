import { namesOf } from '../app/concerns.ts'
import { appOptions } from '../app/config.ts'
import { choice, choices, duration, integer, text, toggle, type Values } from '../lib/options.ts'
import { scenarioNames } from './scenarios.ts'

const alternatives = (concern: Parameters<typeof namesOf>[0]) =>
  choices({ choices: namesOf(concern), help: `with --step: measure it with each of these for ${concern}` })

export const loadtestOptions = {
  steps: text({ placeholder: 'LIST', help: 'steps to measure: 0-3, or monolith,framework (default all)' }),
  step: text({ placeholder: 'NAME', help: 'one step, to be measured with the implementations named below' }),
  framework: alternatives('framework'),
  compute: alternatives('compute'),
  serialization: alternatives('serialization'),
  logging: alternatives('logging'),
  apm: alternatives('apm'),
  scenario: choice({ choices: scenarioNames, default: 'demo', help: 'what the load asks for' }),
  connections: integer({
    min: 1,
    max: 1000,
    default: '50',
    help: 'clients, each asking again once answered',
  }),
  threads: { ...appOptions.threads, help: 'worker threads or processes of the app' },
  rounds: integer({ min: 1, max: 100, help: 'samples of each row (default 5; with --quick 2)' }),
  warmupMs: duration({ minMs: 100, help: 'load before the measured window (default 3s; with --quick 2s)' }),
  durationMs: duration({ minMs: 500, help: 'measured window (default 10s; with --quick 3s)' }),
  seed: integer({
    min: 1,
    max: 1_000_000,
    help: 'decides the order of the samples (default drawn, and printed)',
  }),
  quick: toggle({ help: 'fewer and shorter samples: a first look in under 90 s' }),
  json: toggle({ help: 'print the results as JSON on stdout' }),
} as const

export type LoadtestOptions = Values<typeof loadtestOptions>

const QUICK = { rounds: 2, warmupMs: 2000, durationMs: 3000 } as const
const THOROUGH = { rounds: 5, warmupMs: 3000, durationMs: 10_000 } as const

/** How every sample of a run is taken. */
export interface Settings {
  readonly command: string
  readonly scenario: LoadtestOptions['scenario']
  readonly connections: number
  readonly threads: number
  readonly rounds: number
  readonly warmupSeconds: number
  readonly durationSeconds: number
  readonly seed: number
}

type SamplingOptions = Pick<
  LoadtestOptions,
  'scenario' | 'connections' | 'threads' | 'rounds' | 'warmupMs' | 'durationMs' | 'seed' | 'quick'
>

export function settingsFrom(options: SamplingOptions, command = 'run'): Settings {
  const defaults = options.quick ? QUICK : THOROUGH
  return {
    command,
    scenario: options.scenario,
    connections: options.connections,
    threads: options.threads,
    rounds: options.rounds ?? defaults.rounds,
    warmupSeconds: (options.warmupMs ?? defaults.warmupMs) / 1000,
    durationSeconds: (options.durationMs ?? defaults.durationMs) / 1000,
    seed: options.seed ?? 1 + Math.floor(Math.random() * 1_000_000),
  }
}
