import type { Column } from '../../lib/columns.ts'
import { renderMarkdownTable } from '../../lib/markdown.ts'
import { type BenchResults, readBenchResults } from '../bench/bench-results.ts'
import { serializationTable } from '../bench/serialization-table.ts'
import { readBreakEven } from '../break-even/results-file.ts'
import { checkCeiling } from '../commands/ceiling.ts'
import { describeCores } from '../commands/cores-remarks.ts'
import { describeEnvironment, section, showBreakEven, withMoves } from '../commands/describe-results.ts'
import {
  ablated,
  beside,
  collected,
  curve,
  ladder,
  onSameCores,
  pages,
  pair,
  spectra,
} from '../commands/tables.ts'
import type { Results, RowResult } from '../outcome/results.ts'
import { readResults } from '../outcome/results-file.ts'

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

function showCores(results: Results): string {
  return [section(results, onSameCores), ...describeCores(results)].join('\n\n')
}

function showSerialization(results: BenchResults): string {
  const { rows, columns } = serializationTable(results.samples)
  const { rounds, durationMs, seed } = results.settings
  const how = `${rounds} rounds of ${durationMs} ms a sample, seed ${seed}; ${describeEnvironment(results.environment)}`
  return `${renderMarkdownTable(rows, columns)}\n\n${how}`
}
