import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type BenchResults, readBenchResults } from '../bench/bench-results.ts'
import { readBreakEven } from '../commands/break-even/results-file.ts'
import type { IdleResults } from '../commands/idle/results.ts'
import type { Results } from '../outcome/results.ts'
import { readResults, readRun } from '../outcome/results-file.ts'
import { summarizeAgain } from '../outcome/summarize.ts'

/** A run whose figures the documents show. Its results are `docs/results/NAME.json`, or the file that its command writes. */
export interface Run<Read extends object = object> {
  /** The command that measures it, after `npm run`: the script, and its options. */
  readonly line: string
  /** How long it takes on a machine with two cores, at most. */
  readonly minutes: number
  /** The file that the command writes; absent if it prints its results. */
  readonly file?: string
  /** The files that start what is measured. */
  readonly entries: readonly string[]
  /** @throws UserError when the file holds results of another kind */
  read(file: string): Read
}

/** The files that start the processes of a stack, and the page, which is built. */
const STACK = [
  ...['app/main.ts', 'orders/main.ts', 'apm-agent/main.ts', 'logger-transport/main.ts'],
  ...['app/pages/view/server.tsx', 'app/pages/view/client.tsx'],
]

/** Reads a run and computes its statistics again, so that an older run has those of this version, too. */
const readRows = (file: string): Results => summarizeAgain(readResults(file))

const rows = (line: string, minutes: number): Run<Results> => ({
  line: `loadtest -- ${line} --accept-noise --json`,
  minutes,
  entries: STACK,
  read: readRows,
})

const bench = (name: string, minutes: number): Run<BenchResults> => ({
  line: `bench -- ${name} --json`,
  minutes,
  entries: [`loadtest/bench/${name}-cases.ts`],
  read: readBenchResults(name),
})

/** All published runs, in the order of a campaign: what the README shows comes first. */
export const runs = {
  ladder: rows('run --budget 8m', 11),
  page: rows('run --scenario page --steps 5-7 --rounds 6', 5),
  ladderAt30: rows('open --load 30% --steps 0-7 --warmup 10s --rounds 5', 15),
  ablation: rows('run --ablation --scenario mix --rounds 6', 10),
  rendering: rows(
    'run --scenario page --step rendering --rendering string,stream,threads,parts --spectrum no --rounds 5',
    5,
  ),
  isolation: rows('isolation --steps 0,7 --beside cpu --rate 100 --budget 100s', 3),
  isolationPriority: rows(
    'isolation --step upstream --worker-priority 0,10,19 --beside cpu --rate 100 --threads 4 --rounds 6',
    4,
  ),
  serializationThreads: rows(
    'run --step rendering --serialization compiled,threads --spectrum no --rounds 7',
    4,
  ),
  gc: rows(
    'run --step upstream --node-flags none,--single-threaded-gc,--allocation-site-pretenuring,--max-semi-space-size=1,--max-semi-space-size=64 --rounds 5',
    6,
  ),
  cores: rows('cores --cores 8 --rounds 4', 15),
  coresPage: rows('cores --cores 8 --scenario page --rounds 3', 12),
  coresValidation: rows('cores --validate --cores 2 --steps 0,7 --rounds 3', 10),
  equalCores: rows('equal-cores --budget 9m', 12),
  peersCompute: rows('peers --only piscina,tinypool,workerpool,poolifier --budget 5m', 7),
  peersLogging: rows('peers --concern logging --budget 5m', 7),
  versions: rows('run --steps 0,7 --node 26,26,24,22 --spectrum no --budget 7m', 10),
  aa: rows('aa --step framework --budget 5m', 6),
  handicap: rows('run --step framework --handicap 3% --spectrum no --budget 8m', 9),
  open: rows('open --step framework --rate 100,200,400 --rounds 5', 4),
  idle: {
    line: 'loadtest -- idle --steps 0,6,7 --json',
    minutes: 4,
    entries: STACK,
    read: file => readRun<IdleResults>(file, ({ kind }) => kind === 'idle'),
  } as Run<IdleResults>,
  breakEven: {
    line: 'loadtest -- break-even --accept-noise --json',
    minutes: 18,
    entries: ['loadtest/commands/break-even/main-thread.ts'],
    read: readBreakEven,
  },
  benchSerialization: bench('serialization', 2),
  benchApm: bench('apm', 2),
  tour: {
    line: 'stage -- --tour 15s --whole --end --port 0 --stage-port 0 --apm-agent-port 0 --record docs/results/tour.ndjson',
    file: 'tour.ndjson',
    minutes: 5,
    entries: STACK,
    read: () => ({}),
  },
} as const satisfies Record<string, Run>

export type RunName = keyof typeof runs
export const runNames = Object.keys(runs) as RunName[]

/** The directory of the published runs. */
export const RESULTS = join(import.meta.dirname, '../../docs/results')

export const resultsPath = (name: RunName): string => {
  const { file = `${name}.json` }: Run = runs[name]
  return join(RESULTS, file)
}

export const isPublished = (name: RunName): boolean => existsSync(resultsPath(name))

const cache = new Map<string, object>()

/** The results of a published run. */
export function resultsOf<Name extends RunName>(name: Name): ReturnType<(typeof runs)[Name]['read']> {
  const known = cache.get(name) ?? runs[name].read(resultsPath(name))
  cache.set(name, known)
  return known as ReturnType<(typeof runs)[Name]['read']>
}

/** Reads the results from their files again, after a campaign has written them. */
export const forgetResults = (): void => cache.clear()
