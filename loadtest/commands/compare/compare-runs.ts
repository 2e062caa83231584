import { UserError } from '../../../lib/cli/user-error.ts'
import { type Difference, differ, findDifferentWays } from '../../outcome/differences.ts'
import { forEachMetric, type Metric, metricNames, metrics } from '../../outcome/metrics.ts'
import type { Results, RowResult } from '../../outcome/results.ts'
import { sharesOf } from '../../outcome/summarize.ts'
import { median } from '../../statistics/median.ts'
import { startsOfPair } from '../../statistics/one-start.ts'
import { type Ratio, unpairedRatio } from '../../statistics/ratio.ts'

/** A row that two runs have in common. */
export interface RunsComparison {
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

/** A median in both runs; null in a run that did not measure it. */
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

/**
 * Lists the rows and metrics that are slower beyond doubt, and by more than `threshold`: `apm mainThreadMicros ×
 * 1.21`.
 */
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

const places = ['node', 'v8', 'os', 'cpu', 'cores'] as const

/** Lists the differences between two runs, other than the code, that may have changed their plots, and their noise. */
export function describeDifferences(a: Results, b: Results): string[] {
  const differences: Difference[] = [
    ...places.flatMap(key => differ(key, a.environment[key], b.environment[key])),
    ...differ('command', a.settings.command, b.settings.command),
    ...findDifferentWays(a.settings, b.settings),
  ]
  return [
    ...(a.noisy ? ['the first run is noisy'] : []),
    ...(b.noisy ? ['the second run is noisy'] : []),
    ...differences.map(
      ({ what, one, other }) => `${what} was ${one} in the first run and ${other} in the second`,
    ),
  ]
}
