import { concerns } from '../app/concerns.ts'
import type { Column } from '../lib/columns.ts'
import { renderMarkdownTable } from '../lib/markdown.ts'
import { type BenchResults, readBenchResults } from './bench/bench-results.ts'
import { serializationTable } from './bench/serialization-table.ts'
import type { BreakEvenResults } from './break-even/results.ts'
import { renderBreakEven } from './break-even/tables.ts'
import { checkCeiling } from './ceiling.ts'
import type { Environment } from './environment.ts'
import { describeCores } from './equal-cores.ts'
import type { Results, RowResult } from './results.ts'
import { readBreakEven, readResults } from './results-file.ts'
import { ablated, beside, collected, curve, ladder, onSameCores, pages, pair, spectra } from './tables.ts'

/** How a file of results is read, and shown. */
interface Publication {
  /** @throws UserError when the file holds none of them */
  read(file: string): unknown
  show(file: string): string
}

const publish = <Read>(read: (file: string) => Read, render: (results: Read) => string): Publication => ({
  read,
  show: file => render(read(file)),
})
const run = (render: (results: Results) => string) => publish(readResults, render)
const rows = (columns: readonly Column<RowResult>[]) => run(results => section(results, columns))

/** The runs whose figures the docs show, `docs/results/NAME.json`, and what is made of each. */
export const published = {
  ladder: run(results => section(results, withMoves(results.steps))),
  spectrum: rows(spectra),
  ablation: rows(ablated),
  gc: rows(collected),
  aa: rows(pair),
  handicap: rows(pair),
  open: run(results => [section(results, curve), ...checkCeiling(results.steps)].join('\n\n')),
  isolation: rows(beside),
  isolationPage: rows(beside),
  isolationPriority: rows(beside),
  page: rows(pages),
  equalCores: run(showCores),
  rendering: rows(pages),
  mix: rows(ladder),
  serializationThreads: rows(ladder),
  breakEven: publish(readBreakEven, showBreakEven),
  benchSerialization: publish(readBenchResults('serialization'), showSerialization),
} as const satisfies Record<string, Publication>

export type PublishedName = keyof typeof published
export const publishedNames = Object.keys(published) as PublishedName[]

/** The table of any run of rows, with how it was measured. */
export function describeResults(results: Results): string {
  const { settings, steps } = results
  return [
    renderMarkdownTable(steps, columnsOf(results)),
    ...(steps.some(({ spectrum }) => spectrum) ? [renderMarkdownTable(steps, spectra)] : []),
    ...(settings.command === 'open' ? checkCeiling(steps) : []),
    ...(settings.command === 'equal-cores' ? describeCores(results) : []),
    describeRun(results),
  ].join('\n\n')
}

function columnsOf({ settings: { command, scenario }, steps }: Results): readonly Column<RowResult>[] {
  const own = new Map(
    Object.entries({
      aa: pair,
      open: curve,
      isolation: beside,
      ablation: ablated,
      gc: collected,
      'equal-cores': onSameCores,
    }),
  )
  return own.get(command) ?? (scenario === 'page' ? pages : withMoves(steps))
}

const section = (results: Results, columns: readonly Column<RowResult>[]) =>
  `${renderMarkdownTable(results.steps, columns)}\n\n${describeRun(results)}`

/** The columns of the ladder, with what each row changed against the one above. */
function withMoves(rows: readonly RowResult[]): Column<RowResult>[] {
  const moved = (row: RowResult) => {
    const above = rows[rows.indexOf(row) - 1]
    const changed = concerns.filter(
      concern => above && above.composition[concern] !== row.composition[concern],
    )
    return changed
      .map(concern => `\`${above?.composition[concern]}\` → \`${row.composition[concern]}\``)
      .join(', ')
  }
  const [step, ...figures] = ladder
  return [step as Column<RowResult>, { title: 'moved', cell: moved }, ...figures]
}

function showCores(results: Results): string {
  return [section(results, onSameCores), ...describeCores(results)].join('\n\n')
}

export function showBreakEven(results: BreakEvenResults): string {
  const { environment, settings, cells, hops, starts, idle } = results
  const valid = [...cells, ...hops, ...starts, idle].flatMap(each => each.samples.map(({ valid }) => valid))
  const refused = valid.filter(isValid => !isValid).length
  const how = [
    `${settings.rounds} rounds, windows of ${settings.windowMs} ms, ${settings.threads} thread or process a pool,`,
    `${refused} samples refused, seed ${settings.seed}; ${describeEnvironment(environment)}`,
  ]
  return `${renderBreakEven(results, renderMarkdownTable)}\n\n${how.join('\n')}`
}

function showSerialization(results: BenchResults): string {
  const { rows, columns } = serializationTable(results.samples)
  const { rounds, durationMs, seed } = results.settings
  const how = `${rounds} rounds of ${durationMs} ms a sample, seed ${seed}; ${describeEnvironment(results.environment)}`
  return `${renderMarkdownTable(rows, columns)}\n\n${how}`
}

/** How, where and when the figures were taken, and the command that gives them again. */
function describeRun({ settings, environment, steps }: Results): string {
  const { rounds, warmupSeconds, durationSeconds, seed, connections, scenario } = settings
  const refused = steps.flatMap(({ samples }) => samples).filter(({ valid }) => !valid).length
  return [
    `Scenario \`${scenario}\`, ${rounds} blocks of ${warmupSeconds} s and ${durationSeconds} s, ${connections} connections,`,
    `${refused} samples refused, seed ${seed}; ${describeEnvironment(environment)}`,
  ].join('\n')
}

const describeEnvironment = ({ cpu, cores, os, node, commit, date }: Environment) =>
  [
    `${cores} cores (${cpu}, ${os}), Node.js ${node}, commit ${commit},`,
    `${date.slice(0, 10)}. Medians and ratios with their 95 % intervals.`,
  ].join('\n')
