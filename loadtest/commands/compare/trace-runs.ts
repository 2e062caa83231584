import { UserError } from '../../../lib/cli/user-error.ts'
import { type Difference, differ, findDifferentWays } from '../../outcome/differences.ts'
import { type Metric, metrics } from '../../outcome/metrics.ts'
import type { Results, RowResult } from '../../outcome/results.ts'
import { sharesOf } from '../../outcome/summarize.ts'
import { startsOfPair } from '../../statistics/one-start.ts'
import { pairedRatio, type Ratio, unpairedRatio } from '../../statistics/ratio.ts'

/** Runs of one machine, in the order of their dates. */
export interface Trace {
  /** The name of the first row of every run, by whose values all others are divided. */
  readonly first: string
  readonly runs: readonly PastRun[]
}

export interface PastRun {
  /** Null when the code was not in a repository. */
  readonly commit: string | null
  readonly date: string
  readonly node: string
  readonly noisy: boolean
  readonly rows: readonly PastRow[]
}

export interface PastRow {
  readonly name: string
  /** The metric of this row over that of the first row, paired within blocks. */
  readonly versusFirst: Ratio
  /** That ratio over the same ratio of the last run before on the same Node.js that has this row; null in the first such run. */
  readonly versusBefore: Ratio | null
}

/** A run, and the path that it was read from. */
export interface Source {
  readonly path: string
  readonly run: Results
}

/** The differences because of which runs cannot be compared. */
const findDifferences = (one: Results, other: Results): Difference[] => [
  ...differ('the processor', one.environment.cpu, other.environment.cpu),
  ...differ('the number of cores', one.environment.cores, other.environment.cores),
  ...findDifferentWays(one.settings, other.settings),
  ...differ('the first row', one.steps[0]?.name, other.steps[0]?.name),
]

/**
 * Traces one metric through runs: each row in terms of the first row of its run, which must be the same in all of them.
 * @throws UserError when there are fewer than two runs, or they cannot be compared
 */
export function traceRuns(sources: readonly Source[], metric: Metric): Trace {
  const sorted = sources.toSorted((one, other) => compareDates(one.run, other.run))
  const [oldest] = sorted
  if (!oldest || sorted.length < 2)
    throw new UserError(`at least 2 runs are compared, received ${sorted.length}`)
  for (const { path, run } of sorted) {
    const [difference] = findDifferences(oldest.run, run)
    if (difference)
      throw new UserError(
        `these runs cannot be compared: ${difference.what} is ${difference.one} in ${oldest.path} and ${difference.other} in ${path}; name runs that are alike, or choose with --scenario and --first`,
      )
  }
  const runs = sorted.map(({ run }) => run)
  return {
    first: runs[0]?.steps[0]?.name as string,
    runs: runs.map((run, index) => traceRun(run, runs.slice(0, index), metric)),
  }
}

const compareDates = (one: Results, other: Results): number =>
  one.environment.date < other.environment.date ? -1 : 1

function traceRun(run: Results, before: readonly Results[], metric: Metric): PastRun {
  const { commit, date, node } = run.environment
  const [, ...others] = run.steps
  return {
    commit,
    date,
    node,
    noisy: run.noisy ?? false,
    rows: others.map(row => traceRow(row, run, before, metric)),
  }
}

function traceRow(row: RowResult, run: Results, before: readonly Results[], metric: Metric): PastRow {
  const { better } = metrics[metric]
  const sharesIn = ({ steps }: Results, row: RowResult) => sharesOf(row, steps[0] as RowResult, metric)
  const shares = sharesIn(run, row)
  const earlier = before.findLast(
    ({ environment, steps }) =>
      environment.node === run.environment.node && steps.slice(1).some(({ name }) => name === row.name),
  )
  const same = earlier?.steps.find(({ name }) => name === row.name)
  const startsOf = ({ settings }: Results) => startsOfPair(settings)
  return {
    name: row.name,
    versusFirst: pairedRatio(
      shares.map(share => [share, 1]),
      better,
      startsOf(run),
    ),
    versusBefore:
      earlier && same
        ? unpairedRatio(shares, sharesIn(earlier, same), better, startsOf(run) + startsOf(earlier))
        : null,
  }
}
