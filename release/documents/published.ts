import { type Column, explained, renderMarkdownTable as renderTable } from '../../lib/cli/columns.ts'
import { renderApm } from '../../loadtest/bench/apm.ts'
import type { BenchResults, Samples } from '../../loadtest/bench/bench.ts'
import { renderHop } from '../../loadtest/bench/hop.ts'
import { renderRendering } from '../../loadtest/bench/rendering.ts'
import { renderPeers, renderSerializationOfDemo } from '../../loadtest/bench/serialization.ts'
import { breakEvenPresentation } from '../../loadtest/commands/break-even/presentation.ts'
import type { BreakEvenResults } from '../../loadtest/commands/break-even/results.ts'
import { overCoresColumns, stepsOnCores } from '../../loadtest/commands/cores/presentation.ts'
import { onSoManyCores, SHOWN_CORES } from '../../loadtest/commands/cores/rows.ts'
import { equalCoresColumns } from '../../loadtest/commands/equal-cores.ts'
import { presentationOf } from '../../loadtest/commands/index.ts'
import { peerColumns } from '../../loadtest/commands/peers.ts'
import {
  type Columns,
  changeColumn,
  goodput,
  mainThread,
  pageColumns,
  step,
  versus,
} from '../../loadtest/declaration/columns.ts'
import { type Content, remarks, table } from '../../loadtest/declaration/presentation.ts'
import { SPECTRA_TITLE } from '../../loadtest/declaration/rows-command.ts'
import { formatRatio, middle } from '../../loadtest/outcome/format.ts'
import type { Results, RowResult } from '../../loadtest/outcome/results.ts'
import { spanColumns, spanRows } from '../../loadtest/peers/apm/promises.ts'
import { lineColumns, loggers } from '../../loadtest/peers/logging/promises.ts'
import { describeEnvironment, renderRunMarkdown } from '../../loadtest/report/markdown.ts'
import { findOnOwnRequest } from '../../loadtest/sample/compared-rows.ts'
import {
  type Advised,
  advisedColumns,
  offloadColumns,
  type PlainService,
  type RunName,
  resultsOf,
} from './runs.ts'

const renderMarkdown = explained(renderTable)

/** Shows what is picked of the content that the report of a run has. */
const showContent =
  (pick: (content: readonly Content[], run: Results) => readonly Content[]) =>
  (run: Results): string => {
    const presentation = presentationOf(run)
    return renderRunMarkdown(run, presentation, pick(presentation.content(run), run))
  }

/** The sentences below the costs. */
const said = (content: readonly Content[]) => content.filter(each => each.kind === 'remarks')

const sentencesOf = (content: readonly Content[]) => said(content).flatMap(({ sentences }) => sentences)

/** Some columns of a run, and its remarks: all of them, or so many sentences. */
const showColumns = (columns: Columns, sentenceCount?: number) =>
  showContent((content, { steps }) => [
    table('Costs', steps, columns),
    remarks(sentencesOf(content).slice(0, sentenceCount)),
  ])

/** A line for each step, and the sentence about the largest number of cores. */
const showOverCores = showContent((content, { steps }) => [
  table('Costs', stepsOnCores(steps), overCoresColumns(steps)),
  remarks(sentencesOf(content).slice(-1)),
])

/** From which length on a move pays. The report of the run has the sizes between the smallest and the largest, and all costs. */
const showBreakEven = (run: BreakEvenResults): string => {
  const crossings = breakEvenPresentation
    .content(run)
    .flatMap(each => (each.kind === 'table' ? each : []))
    .slice(0, 1)
  const shown = crossings.map(each => ({ ...each, rows: each.rows.filter(([input]) => input !== '10 KB') }))
  return renderRunMarkdown(run, breakEvenPresentation, shown)
}

/** Titles of the columns of peers that the READMEs of packages show. */
const DECIDING = [
  'implementation',
  'main thread × ours',
  'verdict',
  'µs over the floor',
  'goodput/s',
  'p99 ms',
]
/** The same of renderings, for which there is no floor. */
const DECIDING_PAGES = [...DECIDING, 'main thread µs', 'total µs', 'first byte ms']

/** Where ours is not ahead, and the costs that decide which to take. */
const showPeers = (deciding = DECIDING) =>
  showContent((content, run) => [
    ...said(content),
    table(
      'Costs',
      run.steps,
      peerColumns(run).filter(({ title }) => deciding.includes(title)),
    ),
  ])

/** The verdict on each step on the request that it is about. */
function ownColumns(): Columns {
  const [ratio, verdict] = versus('versusPrevious', 'mainThreadMicros', '× previous')
  const { steps } = resultsOf('ownRequests')
  const own = (title: string, say: (found: OnOwnRequest) => string): Column<RowResult> => ({
    title,
    cell({ name }) {
      const found = findOnOwnRequest(name, steps)
      return found ? say(found) : '-'
    },
  })
  return [
    own('on its own request', ({ request }) => request),
    own('× previous step', ({ row }) => ratio?.cell(row) ?? '-'),
    own('verdict', ({ row }) => verdict?.cell(row) ?? '-'),
  ]
}

type OnOwnRequest = NonNullable<ReturnType<typeof findOnOwnRequest<RowResult>>>

/** The machine and the code that `ownColumns` are of: they may be others than those of the ladder. */
function ownRemarks(): Content {
  const { environment, noisy } = resultsOf('ownRequests')
  return remarks([
    `The columns of the own request are of a run of their own${noisy ? ', **noisy** as other programs disturbed it' : ''}: ${describeEnvironment(environment)}`,
  ])
}

/** The ladder: each step on its own request, what it costs on `/demo`, and what it serves on the cores that most readers have. */
const showInShort = showContent((_content, { steps }) => {
  const onCores = new Map(
    onSoManyCores(resultsOf('cores').steps).map(row => [row.number, middle(row.goodput, 0, false)]),
  )
  return [
    table('Costs', steps, [
      step,
      ...changeColumn(steps),
      ...ownColumns(),
      { ...mainThread, title: 'µs on `/demo`' },
      { title: '× step 0', cell: row => formatRatio(row.versusFirst?.mainThreadMicros, 2) },
      goodput,
      { title: `goodput/s on ${SHOWN_CORES} slow cores`, cell: ({ number }) => onCores.get(number) ?? '-' },
    ]),
    ownRemarks(),
  ]
})

/** What the docs show of ways to use equal cores: goodput, and all ratios. */
const isOfEqualCores = ({ title }: Columns[number]) => /^(step|goodput\/s)$| × first$/.test(title)

/** Columns that its report has, and that decide nothing for a reader of the docs; `/demo` renders nothing. */
const LEFT_OUT = ['main thread busy', 'p50 ms', 'valid', 'in doubt', 'rendering']

/** The spectra without the costs, which another table of the docs shows. */
const showSpectra = showContent(content =>
  content.flatMap(each =>
    each.kind === 'table' && each.title === SPECTRA_TITLE
      ? [{ ...each, columns: each.columns.filter(({ title }) => !LEFT_OUT.includes(title)) }]
      : [],
  ),
)

function showPlainService({ offloads, blocks, environment }: PlainService): string {
  const method = `${blocks} blocks of 2 s; ${describeEnvironment(environment)}`
  return `${renderMarkdown(offloads, offloadColumns)}\n\n${method}`
}

function showAdvised({ services, environment }: Advised): string {
  const within = services.filter(({ predicted, ratio }) => predicted[0] <= ratio && ratio <= predicted[1])
  const remark = `The result is within the prediction for ${within.length} of ${services.length} services.`
  return `${renderMarkdown(services, advisedColumns)}\n\n${remark} 5 blocks; ${describeEnvironment(environment)}`
}

function showBench(
  render: (samples: Samples, renderTable: typeof renderMarkdown) => string,
): (results: BenchResults) => string {
  return ({ samples, settings, environment }) => {
    const { rounds, durationMs, seed } = settings
    const method = `${rounds} rounds of ${durationMs} ms a sample, seed ${seed}; ${describeEnvironment(environment)}`
    return `${render(samples, renderMarkdown)}\n\n${method}`
  }
}

/** A table of the documents: the runs that it shows, and how. What tests have tried is of no run. */
export interface View {
  readonly of: readonly RunName[]
  show(): string
}

/** @param beside runs that the table shows as well */
const view = <Name extends RunName>(
  of: Name,
  show: (results: ReturnType<typeof resultsOf<Name>>) => string,
  beside: readonly RunName[] = [],
): View => ({ of: [of, ...beside], show: () => show(resultsOf(of)) })

/** The generated tables of the documents, by the names in their marks. */
export const views = {
  ladderInShort: view('ladder', showInShort, ['cores', 'ownRequests']),
  spectrum: view('ladder', showSpectra),
  page: view('page', showColumns(pageColumns.filter(({ title }) => !LEFT_OUT.includes(title)))),
  equalCores: view('equalCores', showColumns(equalCoresColumns.filter(isOfEqualCores), 1)),
  cores: view('cores', showOverCores),
  rendering: view('rendering', showPeers(DECIDING_PAGES)),
  peersCompute: view('peersCompute', showPeers()),
  peersLogging: view('peersLogging', showPeers()),
  linePromises: { of: [], show: () => renderMarkdown(loggers, lineColumns) },
  peersApm: view('peersApm', showPeers()),
  spanPromises: { of: [], show: () => renderMarkdown(spanRows, spanColumns) },
  idle: view('idle', run => renderRunMarkdown(run, presentationOf(run))),
  breakEven: view('breakEven', showBreakEven),
  plainService: view('plainService', showPlainService),
  advised: view('advised', showAdvised),
  benchSerialization: view('benchSerialization', showBench(renderSerializationOfDemo)),
  serializationPeers: view('benchSerialization', showBench(renderPeers)),
  benchApm: view('benchApm', showBench(renderApm)),
  benchHop: view('benchHop', showBench(renderHop)),
  benchRendering: view('benchRendering', showBench(renderRendering)),
} as const satisfies Record<string, View>
