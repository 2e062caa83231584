import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Column } from '../../lib/cli/columns.ts'
import type { BenchResults } from '../../loadtest/bench/bench.ts'
import type { BreakEvenResults } from '../../loadtest/commands/break-even/results.ts'
import type { IdleResults } from '../../loadtest/commands/idle.ts'
import type { Environment } from '../../loadtest/outcome/environment.ts'
import { formatRatio } from '../../loadtest/outcome/format.ts'
import type { Results } from '../../loadtest/outcome/results.ts'
import { readResults, readRun } from '../../loadtest/outcome/results-file.ts'
import { summarizeAgain } from '../../loadtest/outcome/summarize.ts'
import type { Interval } from '../../loadtest/statistics/median.ts'
import type { Ratio } from '../../loadtest/statistics/ratio.ts'

/** What `main-thread versus` says about each offload of `examples/plain-service`. */
export interface PlainService {
  readonly schemaVersion: 1
  readonly kind: 'plain-service'
  readonly environment: Environment
  readonly blocks: number
  readonly offloads: readonly Offload[]
}

interface Offload {
  readonly offload: string
  readonly path: string
  readonly comparisons: readonly { readonly measure: string; readonly ratio: Ratio }[]
}

const ratioOf = (title: string, measure: string): Column<Offload> => ({
  title,
  cell: ({ comparisons }) => formatRatio(comparisons.find(each => each.measure === measure)?.ratio, 2),
})

export const offloadColumns: readonly Column<Offload>[] = [
  { title: 'offload', cell: ({ offload }) => `\`${offload}\`` },
  { title: 'request', cell: ({ path }) => `\`${path}\`` },
  ratioOf('main thread, after over before', 'main thread, µs/response'),
  ratioOf('total CPU', 'total CPU, µs/response'),
]

/** What `main-thread spectrum` predicted for services, and what its advice brought. */
export interface Advised {
  readonly schemaVersion: 1
  readonly kind: 'advised'
  readonly environment: Environment
  readonly services: readonly AdvisedService[]
}

interface AdvisedService {
  readonly service: string
  readonly concern: string
  readonly predicted: Interval
  readonly ratio: number
  readonly ci95: Interval
}

export const advisedColumns: readonly Column<AdvisedService>[] = [
  { title: 'service', cell: ({ service }) => service },
  { title: 'what leaves', cell: ({ concern }) => concern },
  { title: 'cost, predicted', cell: ({ predicted }) => predicted.map(end => end.toFixed(2)).join(' to ') },
  {
    title: 'measured',
    cell: ({ ratio, ci95 }) => `${ratio.toFixed(2)} [${ci95.map(end => end.toFixed(2)).join(', ')}]`,
  },
]

/** A run whose figures the documents show. Its results are `docs/results/NAME.json`, or the file that its command writes. */
export interface Run<Read extends object = object> {
  /** What measures it: a script of package.json, or a file, and its options. */
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
  'app/main.ts',
  'orders/main.ts',
  'apm-agent/main.ts',
  'logger-transport/main.ts',
  'app/pages/view/server.tsx',
  'app/pages/view/client.tsx',
]

/** Reads a run and computes its statistics again, so that an older run has those of this version, too. */
const readRows = (file: string): Results => summarizeAgain(readResults(file))

const rows = (line: string, minutes: number): Run<Results> => ({
  line: `loadtest -- ${line} --accept-noise --json`,
  minutes,
  entries: STACK,
  read: readRows,
})

const bench = (name: string, minutes: number, measured = `${name}-cases.ts`): Run<BenchResults> => ({
  line: `bench -- ${name} --json`,
  minutes,
  entries: [`loadtest/bench/${measured}`],
  read: file => readRun<BenchResults>(file, ({ bench }) => bench === name),
})

/**
 * All published runs, in the order of a campaign: first what the README shows, then what the talk says, then what only one
 * document shows. Together they take four hours at most.
 */
export const runs = {
  ladder: rows('run --budget 10m', 10),
  ownRequests: rows('run --own-requests --spectrum no --warmup 4s --budget 10m', 11),
  cores: rows('cores --cores 2,4,8 --rounds 2', 24),
  tour: {
    line: 'stage -- --tour 15s --whole --end --port 0 --stage-port 0 --apm-agent-port 0 --record docs/results/tour.ndjson',
    file: 'tour.ndjson',
    minutes: 5,
    entries: STACK,
    read: () => ({}),
  },
  page: rows('run --scenario page --steps 5-7 --rounds 5', 4),
  equalCores: rows('equal-cores --cores 8 --rounds 4', 20),
  breakEven: {
    line: 'loadtest -- break-even --accept-noise --json',
    minutes: 4,
    entries: ['loadtest/commands/break-even/subject.ts'],
    read: file => readRun<BreakEvenResults>(file, ({ kind }) => kind === 'break-even'),
  } as Run<BreakEvenResults>,
  ladderAt30: rows('open --load 30% --steps 0,5-7 --warmup 10s --rounds 4', 5),
  pageAt30: rows('open --scenario page --load 30% --steps 5-7 --warmup 10s --rounds 4', 4),
  coresPage: rows('cores --cores 8 --steps 0,6,7 --scenario page --rounds 4', 10),
  coresSixteen: rows('cores --cores 16 --steps 0,7 --rounds 2', 6),
  peersCompute: rows('peers --budget 3m', 4),
  peersLogging: rows('peers --concern logging --budget 3m', 4),
  peersSerialization: rows('peers --concern serialization --budget 2m', 3),
  peersApm: rows('peers --concern apm --budget 4m', 5),
  rendering: rows('peers --concern rendering --rounds 5', 4),
  isolation: rows('isolation --steps 0,7 --beside cpu --rate 100 --rounds 6', 2),
  versions: rows('run --steps 0,7 --node 26,24,22 --spectrum no --rounds 3', 3),
  aa: rows('aa --step framework --budget 3m', 3),
  idle: {
    line: 'loadtest -- idle --steps 0,6,7 --json',
    minutes: 3,
    entries: STACK,
    read: file => readRun<IdleResults>(file, ({ kind }) => kind === 'idle'),
  } as Run<IdleResults>,
  plainService: {
    line: 'examples/measure-plain-service.ts',
    minutes: 6,
    entries: [
      'examples/measure-plain-service.ts',
      'logger-transport/main.ts',
      'apm-agent/main.ts',
      'logger-transport/main-thread/pino.ts',
      'apm-agent/main-thread/register.ts',
      'workers/main-thread/index.ts',
      'render/main-thread/index.ts',
    ],
    read: file => readRun<PlainService>(file, ({ kind }) => kind === 'plain-service'),
  } as Run<PlainService>,
  advised: {
    line: 'advisor/prediction/measure.fixture.ts',
    minutes: 16,
    entries: [
      'advisor/main.ts',
      'logger-transport/main-thread/index.ts',
      'logger-transport/main-thread/winston.ts',
      'apm-agent/main-thread/register.ts',
      'workers/main-thread/index.ts',
      'render/main-thread/index.ts',
    ],
    read: file => readRun<Advised>(file, ({ kind }) => kind === 'advised'),
  } as Run<Advised>,
  benchSerialization: bench('serialization', 4),
  benchApm: bench('apm', 1),
  benchHop: {
    ...bench('hop', 5),
    line: 'bench -- hop --rounds 10 --json',
    entries: ['loadtest/peers/hop.ts'],
  },
  benchRendering: {
    ...bench('rendering', 4, 'rendering-service.ts'),
    line: 'bench -- rendering --rounds 9 --json',
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

/** The files among the results that no run has. */
export function findLeftResults(): string[] {
  const known = ['campaign.json', ...runNames.map(name => basename(resultsPath(name)))]
  return readdirSync(RESULTS).filter(name => !known.includes(name))
}

const cache = new Map<string, object>()

/** The results of a published run. */
export function resultsOf<Name extends RunName>(name: Name): ReturnType<(typeof runs)[Name]['read']> {
  const known = cache.get(name) ?? runs[name].read(resultsPath(name))
  cache.set(name, known)
  return known as ReturnType<(typeof runs)[Name]['read']>
}

/** Reads the results from their files again, after a campaign has written them. */
export const forgetResults = (): void => cache.clear()
