import { concerns } from '../../app/concerns.ts'
import type { Column } from '../../lib/columns.ts'
import { renderMarkdownTable } from '../../lib/markdown.ts'
import type { BreakEvenResults } from '../break-even/results.ts'
import { renderBreakEven } from '../break-even/tables.ts'
import type { Environment } from '../outcome/environment.ts'
import { counted } from '../outcome/format.ts'
import type { Results, RowResult } from '../outcome/results.ts'
import { checkCeiling } from './ceiling.ts'
import { describeCores } from './cores-remarks.ts'
import { ablated, beside, collected, curve, ladder, onSameCores, pages, pair, spectra } from './tables.ts'

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

export const section = (results: Results, columns: readonly Column<RowResult>[]) =>
  `${renderMarkdownTable(results.steps, columns)}\n\n${describeRun(results)}`

/** The columns of the ladder, with what each row changed against the one above. */
export function withMoves(rows: readonly RowResult[]): Column<RowResult>[] {
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

export function showBreakEven(results: BreakEvenResults): string {
  const { environment, settings, cells, hops, starts, idle } = results
  const samples = [...cells, ...hops, ...starts, idle].flatMap(each => each.samples.map(({ valid }) => valid))
  const how = [
    `${settings.rounds} rounds, windows of ${settings.windowMs} ms, ${settings.threads} thread or process a pool,`,
    `${describeRefused(samples)}, seed ${settings.seed}; ${describeEnvironment(environment)}`,
  ]
  return `${renderBreakEven(results, renderMarkdownTable)}\n\n${how.join('\n')}`
}

/** How, where and when the figures were taken. */
function describeRun({ settings, environment, steps }: Results): string {
  const { rounds, warmupSeconds, durationSeconds, seed, connections, scenario } = settings
  const samples = steps.flatMap(each => each.samples.map(({ valid }) => valid))
  return [
    `Scenario \`${scenario}\`, ${rounds} blocks of ${warmupSeconds} s and ${durationSeconds} s, ${connections} connections,`,
    `${describeRefused(samples)}, seed ${seed}; ${describeEnvironment(environment)}`,
  ].join('\n')
}

/** @param samples whether each is valid */
function describeRefused(samples: readonly boolean[]): string {
  return `${counted(samples.filter(isValid => !isValid).length, 'sample')} refused`
}

export const describeEnvironment = ({ cpu, cores, os, node, commit, date }: Environment) =>
  [
    `${cores} cores (${cpu}, ${os}), Node.js ${node}, commit ${commit},`,
    `${date.slice(0, 10)}. Medians and ratios with their 95 % intervals.`,
  ].join('\n')
