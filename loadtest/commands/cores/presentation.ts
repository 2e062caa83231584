import type { Column } from '../../../lib/cli/columns.ts'
import {
  busy,
  type Columns,
  latency,
  mainThread,
  p99,
  step,
  valid,
  versus,
} from '../../declaration/columns.ts'
import { counted, formatRatio, middle, middleOf, percent } from '../../outcome/format.ts'
import type { Metric } from '../../outcome/metrics.ts'
import type { Results, RowResult } from '../../outcome/results.ts'
import { withoutLoad } from '../../sample/compared-rows.ts'
import type { RowCores } from '../../sample/rows.ts'
import type { CoresUse } from '../../sample/sample.ts'
import { median } from '../../statistics/median.ts'
import { SHOWN_CORES } from './rows.ts'

const title = { ...step, cell: (row: RowResult) => step.cell(row).replace(/ at \d+ cores$/, '') }
const goodput = { title: 'goodput/s', cell: (row: RowResult) => middle(row.goodput, 0) }
const versusFirst = (metric: Metric, title: string) => versus('versusFirst', metric, title).slice(0, 1)
const bottleneck = {
  title: 'bottleneck',
  cell(row: RowResult) {
    const found = findBottleneck(row)
    return found ? `${found.name} ${percent(found.share)}` : '-'
  },
}

/** The rows of a step on each number of cores, by that number. */
type OnCores = ReadonlyMap<number, RowResult>

export const stepsOnCores = (rows: readonly RowResult[]): OnCores[] =>
  [...Map.groupBy(rows, ({ number }) => number).values()].map(
    each => new Map(each.map(row => [row.cores?.count ?? 0, row])),
  )

/**
 * A line for each step, with its goodput on each number of cores, and, on as many as most readers have, its gain and what
 * limits it.
 */
export function overCoresColumns(rows: readonly RowResult[]): readonly Column<OnCores>[] {
  const on = (count: number, column: Column<RowResult>): Column<OnCores> => ({
    title: column.title,
    cell: each => {
      const row = each.get(count)
      return row ? column.cell(row) : '-'
    },
  })
  const counts = [...new Set(rows.map(({ cores }) => cores?.count ?? 0))]
  return [
    on(counts[0] ?? 0, title),
    ...counts.map(count => on(count, { ...goodput, title: `goodput/s on ${count}` })),
    ...[...versusFirst('goodput', '× first'), bottleneck].map(column =>
      on(SHOWN_CORES, { ...column, title: `${column.title} on ${SHOWN_CORES}` }),
    ),
  ]
}

export const coresColumns: Columns = [
  step,
  goodput,
  ...versus('versusFirst', 'goodput', '× first'),
  ...versus('versusPrevious', 'goodput', '× previous'),
  mainThread,
  busy,
  bottleneck,
  { title: 'total µs', cell: row => middle(row.totalMicros, 0, false) },
  latency('p50', 1),
  p99(1),
  valid,
]

/** The requests a second of the talk, step by step, on the machine of its speaker. */
export const talk = [190, 605, 768, 922, 1078, 1350] as const

/** Names that say what the threads do, by the names that the system knows them by. */
const names: Readonly<Record<string, string>> = {
  'app node-MainThread': 'main thread',
  'app instance': 'main threads',
  'app answer': 'workers',
  'app render': 'render threads',
  'app node-V8Worker': "V8's helpers",
}

/**
 * Finds the part of a stack that limits a row: either all cores together, or the threads of one name, whichever has used the
 * largest share of its cores.
 * @returns its name and its share of what it may use, median of the samples; null for rows that were not in slow motion
 */
export function findBottleneck({ samples }: Pick<RowResult, 'samples'>) {
  const uses = samples.flatMap(({ valid, cores }) => (valid && cores ? [sharesOf(cores)] : []))
  const all = [...new Set(uses.flatMap(use => [...use.keys()]))].map(name => ({
    name,
    share: median(uses.map(use => use.get(name) ?? 0)) ?? 0,
  }))
  return all.toSorted((one, other) => other.share - one.share)[0] ?? null
}

const sharesOf = ({ all, threads }: CoresUse) =>
  new Map([
    ['all cores', all],
    ...threads.map(({ process, thread, mean }) => {
      const name = `${process} ${thread}`
      return [names[name] ?? name.replace(/ node-MainThread$/, ''), mean] as const
    }),
  ])

/** Says for each number of cores how much the last row serves, and which rows serve less than the row above. */
export const describeCores = ({ steps }: Results): string[] =>
  [...Map.groupBy(steps, ({ cores }) => cores?.count).values()].flatMap(describeGroup)

function describeGroup(rows: readonly RowResult[]): string[] {
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first?.cores || !last) return []
  const sentences = [describePlace(first.cores)]
  if (first !== last)
    sentences.push(
      `${nameOf(last).replace(/^s/, 'S')} serves ${formatRatio(last.versusFirst?.goodput, 1)} times as much as ${nameOf(first)}; the main thread of ${nameOf(last)} is busy for ${percent(middleOf(last, sample => sample.mainThreadUtilization))}.`,
    )
  const less = rows
    .filter(row => row !== first && row.versusPrevious?.goodput.verdict === 'slower')
    .map(row => `${nameOf(row)} ${formatRatio(row.versusPrevious?.goodput, 2)}`)
  if (less.length > 0) sentences.push(`Less than the step before: ${less.join(', ')}.`)
  return [sentences.join(' ')]
}

const nameOf = ({ number, name }: RowResult) =>
  `${number === null ? '' : `step ${number} `}${withoutLoad(name)}`

export const describePlace = ({ count, speed }: RowCores) =>
  speed === 1
    ? `${counted(count, 'real core')}.`
    : `${counted(count, 'core')} in slow motion, each at ${percent(speed, 1)} of a real one.`
