import { concerns } from '../app/concerns.ts'
import type { Column } from '../lib/columns.ts'
import { renderMarkdownTable } from '../lib/markdown.ts'
import { checkCeiling } from './ceiling.ts'
import type { Results, RowResult } from './results.ts'
import { beside, curve, ladder, pages, pair } from './tables.ts'

/** The runs whose figures the docs show, `docs/results/NAME.json`, and what is made of each. */
export const published = {
  ladder: results => section(results, withMoves(results.steps)),
  aa: results => section(results, pair),
  handicap: results => section(results, pair),
  open: results => [section(results, curve), ...checkCeiling(results.steps)].join('\n\n'),
  isolation: results => section(results, beside),
  isolationPage: results => section(results, beside),
  page: results => section(results, pages),
  rendering: results => section(results, pages),
  mix: results => section(results, ladder),
} as const satisfies Record<string, (results: Results) => string>

export type PublishedName = keyof typeof published
export const publishedNames = Object.keys(published) as PublishedName[]

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

/** How, where and when the figures were taken, and the command that gives them again. */
function describeRun({ settings, environment, steps }: Results): string {
  const { rounds, warmupSeconds, durationSeconds, seed, connections, scenario } = settings
  const refused = steps.flatMap(({ samples }) => samples).filter(({ valid }) => !valid).length
  const { cpu, cores, os, node, commit, date } = environment
  return [
    `Scenario \`${scenario}\`, ${rounds} blocks of ${warmupSeconds} s and ${durationSeconds} s, ${connections} connections,`,
    `${refused} samples refused, seed ${seed}; ${cores} cores (${cpu}, ${os}), Node.js ${node}, commit ${commit},`,
    `${date.slice(0, 10)}. Medians and ratios with their 95 % intervals.`,
  ].join('\n')
}
