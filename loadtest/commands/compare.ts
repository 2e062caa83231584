import { renderColumns } from '../../lib/cli/columns.ts'
import { explained } from '../../lib/cli/explained.ts'
import { toggle } from '../../lib/cli/options.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import type { LoadTestCommand } from '../declaration/command.ts'
import { formatRatio } from '../outcome/format.ts'
import { forEachMetric, type Metric, metricNames, metrics, sayVerdict } from '../outcome/metrics.ts'
import type { Results, RowResult } from '../outcome/results.ts'
import { readResults } from '../outcome/results-file.ts'
import { sharesOf } from '../outcome/summarize.ts'
import { startsOfPair } from '../statistics/estimate.ts'
import { median } from '../statistics/median.ts'
import { type Ratio, unpairedRatio } from '../statistics/ratio.ts'

/** A row that is worse by more than this is a regression: exit code 1. */
const THRESHOLD_PERCENT = 5

const options = {
  json: toggle({ help: 'print the comparison as JSON on stdout' }),
} as const

export const compare: LoadTestCommand<typeof options> = {
  usage: 'npm run loadtest -- compare A.json B.json [options]',
  description: `Compares two runs: each row of B over the row of the same name in A. This ratio also contains every change of the
machine between the two runs. The last two columns do not: they compare each row in terms of its run's first row.
A row of B that is clearly worse, and by more than ${THRESHOLD_PERCENT} %, is a regression: exit code 1.`,
  options,
  takesWords: true,
  async run({ json }, words) {
    if (words.length !== 2) throw new UserError(`two runs are compared, received ${words.length}`)
    const [a, b] = words.map(readResults) as [Results, Results]
    for (const line of describeDifferences(a, b)) process.stderr.write(`warning: ${line}\n`)
    const rows = compareRuns(a, b)
    const regressions = findRegressions(rows, THRESHOLD_PERCENT / 100)
    const found = { schemaVersion: 1, thresholdPercent: THRESHOLD_PERCENT, rows, regressions }
    process.stdout.write(`${json ? JSON.stringify(found, null, 2) : renderComparison(rows)}\n`)
    if (regressions.length > 0)
      throw new UserError(`worse by more than ${THRESHOLD_PERCENT} %: ${regressions.join(', ')}`)
  },
}

/** A row that two runs have in common. */
interface RunsComparison {
  readonly name: string
  readonly medians: Readonly<Record<Metric, { readonly a: number | null; readonly b: number | null }>>
  /** Ratios of B to A. They contain the changes of the code and those of the machine between the two runs. */
  readonly ratios: Readonly<Record<Metric, Ratio>>
  /**
   * The same ratios with each sample divided by the sample of the first common row in its block: changes of the
   * machine cancel out. Null for the first row itself.
   */
  readonly versusFirst: Readonly<Record<Metric, Ratio>> | null
}

/** A row in both runs. */
interface Pair {
  readonly a: RowResult
  readonly b: RowResult
}

/** @throws UserError when the runs have no row in common */
export function compareRuns(a: Results, b: Results): RunsComparison[] {
  const pairs = b.steps.flatMap((row): Pair[] => {
    const other = a.steps.find(({ name }) => name === row.name)
    return other ? [{ a: other, b: row }] : []
  })
  const [first] = pairs
  if (!first) throw new UserError('the runs have no row in common')
  // Stacks that are started once differ from start to start. A row in terms of the first row has the starts of both, so a row has half.
  const starts = startsOfPair(a.settings) + startsOfPair(b.settings)
  return pairs.map(pair => ({
    name: pair.b.name,
    medians: forEachMetric(metric => ({
      a: median(valuesOf(pair.a, metric)),
      b: median(valuesOf(pair.b, metric)),
    })),
    ratios: compareBy(pair, starts / 2, valuesOf),
    versusFirst:
      pair === first
        ? null
        : compareBy(pair, starts, (row, metric) => sharesOf(row, row === pair.a ? first.a : first.b, metric)),
  }))
}

const compareBy = ({ a, b }: Pair, starts: number, read: (row: RowResult, metric: Metric) => number[]) =>
  forEachMetric(metric => unpairedRatio(read(b, metric), read(a, metric), metrics[metric].better, starts))

const valuesOf = ({ samples }: RowResult, metric: Metric) =>
  samples
    .filter(({ valid }) => valid)
    .map(metrics[metric].of)
    .filter(Number.isFinite)

/** Lists what is slower beyond doubt, and by more than `threshold`: `apm mainThreadMicros × 1.21`. */
export function findRegressions(rows: readonly RunsComparison[], threshold: number): string[] {
  return rows.flatMap(({ name, ratios }) =>
    metricNames.flatMap(metric => {
      const { ratio, verdict } = ratios[metric]
      if (verdict !== 'slower' || ratio === null) return []
      const worse = metrics[metric].better === 'lower' ? ratio : 1 / ratio
      return worse > 1 + threshold ? [`${name} ${metric} × ${ratio.toFixed(2)}`] : []
    }),
  )
}

/** What must be the same in two runs, each with its value in results that lack it. */
const places = { node: null, v8: null, os: null, cpu: null, cores: null } as const
const ways = {
  ...{ command: null, scenario: null, connections: null, threads: null, warmupSeconds: null },
  ...{ durationSeconds: null, beside: null, besideRate: null, cores: null, pin: false, keepsStacks: false },
} as const

/** Lists the differences between two runs, other than the code, that may have changed their figures, and their noise. */
export function describeDifferences(a: Results, b: Results): string[] {
  const differ = (usual: object, one: object, other: object) =>
    Object.entries(usual).flatMap(([key, value]) => {
      const [was, is] = [one, other].map(each => String(each[key as keyof typeof each] ?? value))
      return was === is ? [] : [`${key} was ${was} in the first run and ${is} in the second`]
    })
  return [
    ...(a.noisy ? ['the first run is noisy'] : []),
    ...(b.noisy ? ['the second run is noisy'] : []),
    ...differ(places, a.environment, b.environment),
    ...differ(ways, a.settings, b.settings),
  ]
}

function renderComparison(rows: readonly RunsComparison[]): string {
  const lines = rows.flatMap(row => knownOf(row).map(metric => ({ row, metric, ...row.ratios[metric] })))
  return explained(renderColumns)(lines, [
    { title: 'row', cell: ({ row }) => row.name },
    { title: 'metric', cell: ({ metric }) => metric },
    { title: 'A', cell: ({ row, metric }) => row.medians[metric].a?.toFixed(1) ?? '-' },
    { title: 'B', cell: ({ row, metric }) => row.medians[metric].b?.toFixed(1) ?? '-' },
    { title: 'B / A', cell: ratio => formatRatio(ratio, 3) },
    { title: 'verdict', cell: ({ metric, verdict }) => sayVerdict(metric, verdict) },
    { title: 'in terms of the first', cell: ({ row, metric }) => formatRatio(row.versusFirst?.[metric], 3) },
    {
      title: 'verdict',
      cell: ({ row, metric }) =>
        row.versusFirst ? sayVerdict(metric, row.versusFirst[metric].verdict) : '-',
    },
  ])
}

/** The metrics that at least one of the runs has measured for the row. */
const knownOf = ({ medians }: RunsComparison) =>
  metricNames.filter(metric => medians[metric].a !== null || medians[metric].b !== null)
