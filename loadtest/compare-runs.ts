import { UserError } from '../lib/user-error.ts'
import { forEachMetric, type Metric, metricNames, metrics, type Results, type RowResult } from './results.ts'
import { median } from './statistics/median.ts'
import { type Ratio, unpairedRatio } from './statistics/ratio.ts'

/** A row that two runs have in common. */
export interface RunsComparison {
  readonly name: string
  readonly medians: Readonly<Record<Metric, { readonly a: number | null; readonly b: number | null }>>
  /** B over A. */
  readonly ratios: Readonly<Record<Metric, Ratio>>
}

/** @throws UserError when the runs have no row in common */
export function compareRuns(a: Results, b: Results): RunsComparison[] {
  const rows = b.steps.flatMap(row => {
    const other = a.steps.find(({ name }) => name === row.name)
    return other ? [compareRows(other, row)] : []
  })
  if (rows.length === 0) throw new UserError('the runs have no row in common')
  return rows
}

function compareRows(a: RowResult, b: RowResult): RunsComparison {
  const values = ({ samples }: RowResult, metric: Metric) =>
    samples.filter(({ valid }) => valid).map(metrics[metric].of)
  return {
    name: b.name,
    medians: forEachMetric(metric => ({ a: median(values(a, metric)), b: median(values(b, metric)) })),
    ratios: forEachMetric(metric =>
      unpairedRatio(values(b, metric), values(a, metric), metrics[metric].better),
    ),
  }
}

/** What is slower beyond doubt, and by more than `threshold`: `apm mainThreadMicros × 1.21`. */
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
const ways = [
  ...(['command', 'scenario', 'connections', 'threads', 'warmupSeconds', 'durationSeconds'] as const),
  ...(['arrivals', 'beside'] as const),
] as const

/** What else than the code differs between the runs, and may be why their figures do. */
export function describeDifferences(a: Results, b: Results): string[] {
  const line = (what: string, of: unknown, to: unknown) =>
    of === to ? [] : [`${what} was ${of} in the first run and ${to} in the second`]
  return [
    ...places.flatMap(key => line(key, a.environment[key], b.environment[key])),
    ...ways.flatMap(key => line(key, a.settings[key], b.settings[key])),
  ]
}
