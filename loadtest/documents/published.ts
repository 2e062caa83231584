import { join } from 'node:path'
import { renderMarkdownTable } from '../../lib/cli/markdown.ts'
import { type BenchResults, readBenchResults } from '../bench/bench-results.ts'
import { distanceTable, type NatsCost, saturationTable } from '../bench/nats-tables.ts'
import { serializationTable } from '../bench/serialization-table.ts'
import { readBreakEven } from '../commands/break-even/results-file.ts'
import { besideColumns, fewColumns, goodputColumns } from '../commands/cores/columns.ts'
import type { IdleResults } from '../commands/idle/results.ts'
import type { Columns } from '../declaration/columns.ts'
import { lowLoadColumns, shortColumns, stageColumns } from '../declaration/document-columns.ts'
import { LIMITS_HEADING } from '../declaration/limits.ts'
import { type Content, remarks, table } from '../declaration/presentation.ts'
import { renderText } from '../declaration/render-text.ts'
import { COUNTS_TITLE, SPECTRA_TITLE } from '../declaration/rows-command.ts'
import { middle } from '../outcome/format.ts'
import type { Results } from '../outcome/results.ts'
import { readResults, readRun } from '../outcome/results-file.ts'
import type { SavedRun } from '../outcome/saved-run.ts'
import { summarizeAgain } from '../outcome/summarize.ts'
import { describeEnvironment, renderRunMarkdown } from '../report/markdown.ts'
import { presentationOf } from '../report/presentation-of.ts'

/** The directory of the published runs. */
export const RESULTS = join(import.meta.dirname, '../../docs/results')

/** How a file of results is read, and shown. */
interface Publication {
  /** @throws UserError when the file holds results of another kind */
  read(file: string): object
  show(file: string): string
  /** The run of this name is shown too, in another way; absent if the file is its own. */
  readonly of?: string
}

const publish = <Read extends object>(
  read: (file: string) => Read,
  render: (results: Read) => string,
): Publication => ({
  read,
  show: file => render(read(file)),
})

/** Tables of runs of all versions have the same statistics. */
const readRows = (file: string): Results => summarizeAgain(readResults(file))
const rows = publish(readRows, showRows)

/** The runs whose figures the docs show, `docs/results/NAME.json`, and how each is shown. */
export const published = {
  ladder: rows,
  ladderInShort: { ...publish(readRows, showInShort), of: 'ladder' },
  stage: { ...publish(readRows, showStage), of: 'ladder' },
  spectrum: { ...publish(readRows, showSpectra), of: 'ladder' },
  ablation: rows,
  gc: rows,
  aa: rows,
  handicap: rows,
  open: rows,
  isolation: rows,
  isolationPriority: rows,
  page: rows,
  equalCores: publish(readRows, showCores(besideColumns)),
  cores: publish(readRows, showCores(goodputColumns, 2)),
  coresPage: publish(readRows, showCores(fewColumns, 0)),
  coresValidation: publish(readRows, showCores(fewColumns.slice(0, -1), 0)),
  rendering: rows,
  mix: rows,
  serializationThreads: rows,
  ladderAt30: publish(readRows, showLowLoad),
  versions: rows,
  idle: publish(readIdle, run => renderRunMarkdown(run, presentationOf(run))),
  breakEven: publish(readBreakEven, run => renderRunMarkdown(run, presentationOf(run))),
  benchSerialization: publish(readBenchResults('serialization'), showSerialization),
  benchNats: publish(readBenchResults<NatsCost>('nats'), showNats),
} as const satisfies Record<string, Publication>

export type PublishedName = keyof typeof published
export const publishedNames = Object.keys(published) as PublishedName[]

/** The names of the runs that have a file of their own. */
export const runNames = publishedNames.filter(name => !('of' in published[name]))

function readIdle(file: string): IdleResults {
  return readRun<IdleResults>(file, ({ kind }) => kind === 'idle')
}

/** Tables of a run that the docs show elsewhere, or not at all. */
const ELSEWHERE: readonly string[] = [COUNTS_TITLE, SPECTRA_TITLE]

/** The costs and remarks; counts, and what limited the run, are for its report. */
function showRows(run: SavedRun): string {
  const presentation = presentationOf(run)
  const content = presentation.content(run)
  const isShown = (each: Content) =>
    each.kind === 'table' ? !ELSEWHERE.includes(each.title) : each.heading !== LIMITS_HEADING
  return renderRunMarkdown(run, presentation, content.filter(isShown))
}

/** What rows serve on their cores, without their costs, which the ladder shows. */
function showCores(columns: Columns, remarkCount = 1): (run: Results) => string {
  return run => {
    const presentation = presentationOf(run)
    const said = presentation.content(run).flatMap(each => (each.kind === 'remarks' ? each.sentences : []))
    const content = [table('Goodput', run.steps, columns), remarks(said.slice(0, remarkCount))]
    if (remarkCount > 0) return renderRunMarkdown(run, presentation, content)
    // A table beside another one of the same machine.
    const { commit, date } = run.environment
    return `${renderText(content, renderMarkdownTable)}\n\n${presentation.method(run)}; commit ${commit}, ${date.slice(0, 10)}.`
  }
}

/** The ladder, with what each step serves on the cores that most readers have. */
function showInShort(run: Results): string {
  const goodput = new Map(
    readRows(join(RESULTS, 'cores.json')).steps.map(row => [row.number, middle(row.goodput, 0, false)]),
  )
  return renderRunMarkdown(run, presentationOf(run), [
    table('Costs', run.steps, [
      ...shortColumns(run.steps),
      { title: 'goodput/s on 8 slow cores', cell: ({ number }) => goodput.get(number) ?? '-' },
    ]),
  ])
}

/** The ladder as the stage shows it; the whole ladder, elsewhere in the document, says where it was measured. */
function showStage({ steps }: Results): string {
  return renderMarkdownTable(steps, stageColumns)
}

/** The share of the capacity at which the docs show the ladder a second time, in percent. */
const LOW_LOAD = 30

function showLowLoad(run: Results): string {
  const presentation = presentationOf(run)
  const steps = run.steps.filter(({ name }) => name.includes(` at ${LOW_LOAD} %`))
  const ladder = { ...run, steps }
  return renderRunMarkdown(ladder, presentation, [
    table('Costs', steps, lowLoadColumns),
    ...presentation
      .content(ladder)
      .filter(each => each.kind === 'remarks' && each.heading !== LIMITS_HEADING),
  ])
}

/** The spectra without the costs, which another table of the docs shows. */
function showSpectra(run: SavedRun): string {
  const presentation = presentationOf(run)
  const content = presentation.content(run)
  const spectra = content.filter(each => each.kind === 'table' && each.title === SPECTRA_TITLE)
  return renderRunMarkdown(run, presentation, spectra)
}

function showSerialization(results: BenchResults): string {
  const { rows, columns } = serializationTable(results.samples)
  return `${renderMarkdownTable(rows, columns)}\n\n${describeBench(results)}`
}

function showNats(results: BenchResults<NatsCost>): string {
  const [saturation, distance] = [saturationTable(results.samples), distanceTable(results.samples)]
  return [
    'Saturated:',
    renderMarkdownTable(saturation.rows, saturation.columns),
    'One job at a time:',
    renderMarkdownTable(distance.rows, distance.columns),
    describeBench(results),
  ].join('\n\n')
}

function describeBench<Value>({ settings, environment }: BenchResults<Value>): string {
  const { rounds, durationMs, seed } = settings
  return `${rounds} rounds of ${durationMs} ms a sample, seed ${seed}; ${describeEnvironment(environment)}`
}
