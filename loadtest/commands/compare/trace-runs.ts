import { UserError } from '../../../lib/cli/user-error.ts'
import { type Difference, differ, findDifferentWays } from '../../outcome/differences.ts'
import type { Results, RowResult } from '../../outcome/results.ts'
import { sharesOf } from '../../outcome/summarize.ts'
import { startsOfPair } from '../../statistics/one-start.ts'
import { pairedRatio, type Ratio, unpairedRatio } from '../../statistics/ratio.ts'

/** The main-thread cost of each row in runs of one machine, in the order of their dates. */
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
  /** The cost of this row over that of the first row, paired within blocks. */
  readonly versusFirst: Ratio
  /** That ratio over the same ratio of the last run before on the same Node.js that has this row; null in the first such run. */
  readonly versusBefore: Ratio | null
}

/** A run, and the path that it was read from. */
export interface Source {
  readonly path: string
  readonly run: Results
}

export const METRIC = 'mainThreadMicros'

/** The differences because of which runs cannot be compared. */
const findDifferences = (one: Results, other: Results): Difference[] => [
  ...differ('the processor', one.environment.cpu, other.environment.cpu),
  ...differ('the number of cores', one.environment.cores, other.environment.cores),
  ...findDifferentWays(one.settings, other.settings),
  ...differ('the first row', one.steps[0]?.name, other.steps[0]?.name),
]

/**
 * Traces the main-thread cost through the runs that can be compared with the last one: each row in terms of the first row of its
 * run, which is the same in all of them.
 * @param warn tells which runs are left out, and why
 * @throws UserError when fewer than two are left
 */
export function traceRuns(sources: readonly Source[], warn: (line: string) => void): Trace {
  const sorted = sources.toSorted((one, other) => compareDates(one.run, other.run))
  const last = sorted.at(-1)?.run
  const runs = sorted.flatMap(({ path, run }) => {
    const [difference] = findDifferences(run, last ?? run)
    if (!difference) return [run]
    warn(`left out ${path}: ${difference.what} is ${difference.one}, and ${difference.other} in the last run`)
    return []
  })
  if (runs.length < 2) throw new UserError(`at least 2 runs are compared, received ${runs.length}`)
  return {
    first: runs[0]?.steps[0]?.name as string,
    runs: runs.map((run, index) => traceRun(run, runs.slice(0, index))),
  }
}

const compareDates = (one: Results, other: Results): number =>
  one.environment.date < other.environment.date ? -1 : 1

function traceRun(run: Results, before: readonly Results[]): PastRun {
  const { commit, date, node } = run.environment
  const [, ...others] = run.steps
  return {
    commit,
    date,
    node,
    noisy: run.noisy ?? false,
    rows: others.map(row => traceRow(row, run, before)),
  }
}

function traceRow(row: RowResult, run: Results, before: readonly Results[]): PastRow {
  const sharesIn = ({ steps }: Results, row: RowResult) => sharesOf(row, steps[0] as RowResult, METRIC)
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
      'lower',
      startsOf(run),
    ),
    versusBefore:
      earlier && same
        ? unpairedRatio(shares, sharesIn(earlier, same), 'lower', startsOf(run) + startsOf(earlier))
        : null,
  }
}
