import { UserError } from '../lib/cli/user-error.ts'
import { QUICK_SECONDS, type SamplingOptions } from './options.ts'
import type { Settings } from './outcome/results.ts'
import { TURNS } from './statistics/thresholds.ts'

const DEFAULT_BUDGET_MS = 600_000
/** Leaves time to start the load test, and to write the report. */
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
    ...(options.quick && (budgetMs ?? 0) <= QUICK_MS && { promisedSeconds: QUICK_SECONDS }),
    ...((options.acceptNoise || options.quick) && { acceptNoise: true }),
    warmupSeconds: (options.warmupMs ?? warmupMs) / 1000,
    durationSeconds: (options.durationMs ?? durationMs) / 1000,
    seed: options.seed ?? drawSeed(),
  }
}
