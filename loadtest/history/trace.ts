import { UserError } from '../../lib/user-error.ts'
import { type Metric, metrics } from '../outcome/metrics.ts'
import type { Results, RowResult } from '../outcome/results.ts'
import { sharesOf } from '../outcome/shares.ts'
import { startsOfPair } from '../statistics/one-start.ts'
import { pairedRatio, unpairedRatio } from '../statistics/ratio.ts'
import type { History, PastRow, PastRun } from './results.ts'

/** A run, and the path that it was read from. */
export interface Source {
  readonly path: string
  readonly run: Results
}

/** Runs that differ in one of these were measured in ways that cannot be compared. */
const decisive: readonly { readonly what: string; readonly of: (run: Results) => unknown }[] = [
  { what: 'the processor', of: ({ environment }) => environment.cpu },
  { what: 'the number of cores', of: ({ environment }) => environment.cores },
  ...(['scenario', 'connections', 'threads', 'arrivals', 'beside'] as const).map(key => ({
    what: key,
    of: ({ settings }: Results) => settings[key] ?? null,
  })),
  { what: 'the first row', of: ({ steps }) => steps[0]?.name },
]

/**
 * Traces one metric through runs: each row in terms of the first row of its run, which must be the same in all of them.
 * @throws UserError when there are fewer than two runs, or they cannot be compared
 */
export function traceRuns(sources: readonly Source[], metric: Metric): Pick<History, 'first' | 'runs'> {
  const sorted = sources.toSorted((one, other) => compareDates(one.run, other.run))
  const [oldest] = sorted
  if (!oldest || sorted.length < 2)
    throw new UserError(`a history needs at least 2 runs, received ${sorted.length}`)
  for (const { what, of } of decisive) {
    const other = sorted.find(({ run }) => of(run) !== of(oldest.run))
    if (other)
      throw new UserError(
        `these runs cannot be compared: ${what} is ${of(oldest.run)} in ${oldest.path} and ${of(other.run)} in ${other.path}; name runs that are alike, or choose with --scenario and --first`,
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
    ...{ commit, date, node },
    noisy: run.noisy ?? false,
    rows: others.map(row => traceRow(row, run, before, metric)),
  }
}

function traceRow(row: RowResult, run: Results, before: readonly Results[], metric: Metric): PastRow {
  const { better } = metrics[metric]
  const sharesIn = ({ steps }: Results, row: RowResult) => sharesOf(row, steps[0] as RowResult, metric)
  const shares = sharesIn(run, row)
  const earlier = before.findLast(({ steps }) => steps.slice(1).some(({ name }) => name === row.name))
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
