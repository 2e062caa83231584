import type { Column } from '../../lib/columns.ts'
import { type Content, type Presentation, remarks, table } from '../declaration/presentation.ts'
import { counted, fixed, percent } from '../outcome/format.ts'
import { type ComparedFigure, toCells, type ValidationCell } from './cells.ts'
import type { LadderRow, ModelError, PlanResults, SizedRow } from './results.ts'
import { describeLimit, describeSource, describeValidation, explainMiss } from './words.ts'

const stepOf = ({ number, name }: { readonly number: number | null; readonly name: string }) =>
  `${number ?? ' '} ${name}`

const signed = (share: number | undefined) => `${share && share > 0 ? '+' : ''}${percent(share)}`

const error = (which: 'goodput' | 'p99') => (given: ModelError | null) =>
  given ? `±${percent(given[which])}` : 'unknown'

/** The goodput of a step, by number of cores. */
interface GoodputRow {
  readonly step: string
  readonly ladder: readonly LadderRow[]
}

/** A column for each number of cores; a question mark stands for an unknown error. */
function tableGoodput(ladder: readonly LadderRow[]): Content {
  const cores = [...new Set(ladder.map(row => row.cores))]
  const rows = [...Map.groupBy(ladder, stepOf)].map(([step, ladder]): GoodputRow => ({ step, ladder }))
  return table('Goodput a second by number of cores: a model', rows, [
    { title: 'step', cell: ({ step }) => step },
    ...cores.map(count => ({
      title: counted(count, 'core'),
      cell({ ladder }: GoodputRow) {
        const row = ladder.find(row => row.cores === count)
        return row ? `${fixed(row.goodput, 0)} ${row.error ? `±${percent(row.error.goodput)}` : '?'}` : '-'
      },
    })),
  ])
}

/** The title of the largest table. */
export const ALL_FIGURES = 'Every step on more cores: a model'

const ladderColumns: readonly Column<LadderRow>[] = [
  { title: 'step', cell: stepOf },
  { title: 'cores', cell: ({ cores }) => String(cores) },
  { title: 'threads', cell: ({ threads }) => String(threads) },
  { title: 'goodput/s (model)', cell: ({ goodput }) => fixed(goodput, 0) },
  { title: 'error', cell: row => error('goodput')(row.error) },
  { title: 'measured', cell: ({ measured }) => fixed(measured?.goodput, 0) },
  { title: 'p50 ms (model)', cell: ({ latencyMs }) => fixed(latencyMs.p50, 1) },
  { title: 'p99 ms (model)', cell: ({ latencyMs }) => fixed(latencyMs.p99, 1) },
  { title: 'error', cell: row => error('p99')(row.error) },
  { title: 'measured', cell: ({ measured }) => fixed(measured?.latencyMs.p99, 1) },
  { title: 'main thread', cell: ({ utilization }) => percent(utilization.mainThread) },
  { title: 'worker', cell: ({ utilization }) => percent(utilization.workers ?? utilization.rendering) },
  { title: 'logger-transport', cell: ({ utilization }) => percent(utilization.loggerTransport) },
  { title: 'apm-agent', cell: ({ utilization }) => percent(utilization.apmAgent) },
  { title: 'upstream', cell: ({ utilization }) => percent(utilization.upstream) },
  { title: 'clients', cell: ({ utilization }) => percent(utilization.clients) },
  { title: 'cores used', cell: ({ coresUtilization }) => percent(coresUtilization) },
]

const sizeColumns: readonly Column<SizedRow>[] = [
  { title: 'step', cell: stepOf },
  { title: 'instances (model)', cell: ({ size }) => (size ? String(size.instances) : 'impossible') },
  { title: 'cores each', cell: ({ size }) => fixed(size?.cores, 0) },
  { title: 'threads each', cell: ({ size }) => fixed(size?.threads, 0) },
  { title: 'cores in all', cell: ({ size }) => fixed(size?.totalCores, 0) },
  { title: 'memory MiB', cell: ({ size }) => fixed(size?.memoryMiB, 0) },
  { title: 'p99 ms (model)', cell: ({ size }) => fixed(size?.p99Ms, 1) },
  { title: 'error', cell: row => error('p99')(row.error) },
  { title: 'main thread', cell: ({ size }) => percent(size?.mainThreadUtilization) },
  { title: 'bottleneck', cell: ({ size }) => size?.bottleneck ?? '-' },
]

const signedError =
  (figure: ComparedFigure) =>
  ({ compared }: ValidationCell) =>
    signed(compared?.error[figure])

const validationColumns: readonly Column<ValidationCell>[] = [
  { title: 'step', cell: stepOf },
  { title: 'cores', cell: ({ cores }) => String(cores) },
  {
    title: 'load',
    cell: ({ ratePerSecond, sharePercent, connections }) =>
      sharePercent === null ? counted(connections, 'connection') : `${sharePercent} % (${ratePerSecond}/s)`,
  },
  { title: 'goodput/s', cell: ({ compared }) => fixed(compared?.measured.goodput, 0) },
  { title: 'model', cell: ({ compared }) => fixed(compared?.predicted.goodput, 0) },
  { title: 'error', cell: signedError('goodput') },
  { title: 'p99 ms', cell: ({ compared }) => fixed(compared?.measured.latencyMs.p99, 1) },
  { title: 'model', cell: ({ compared }) => fixed(compared?.predicted.latencyMs.p99, 1) },
  { title: 'error', cell: signedError('p99') },
  { title: 'reason of a miss', cell: explainMiss },
]

const MODEL =
  'Every figure in a table or a column of the model is computed, not measured. The error beside it is the median error of the validation on as many cores, with the same kind of load, where the costs come from as many cores too; "unknown" or "?" means that no measurement confirms the figure.'

const VALIDATED =
  'A measurement is the median of the blocks, and an error the median of the errors in them. Each prediction has the costs of its own block.'

export const planPresentation: Presentation<PlanResults> = {
  heading: () => ({
    title: 'What more cores would do: a model',
    introduction: 'A simulation of the stack, made of the costs that a run has measured.',
  }),
  answer: ({ ladder }) =>
    [...Map.groupBy(ladder, ({ name }) => name).values()]
      .filter((_, index, { length }) => index === 0 || index === length - 1)
      .flatMap(rows => describeLimit(rows) ?? [])
      .join(' '),
  method: ({ source, settings: { connections, apart } }) =>
    `Model made of a run on ${counted(source.cores, 'core')}; closed loop of ${connections} connections, clients and upstream ${apart === null ? 'on the same cores' : 'on cores of their own'}`,
  content: results => [
    tableGoodput(results.ladder),
    table(ALL_FIGURES, results.ladder, ladderColumns),
    ...sizingOf(results),
    ...validationOf(results),
    remarks([describeSource(results), MODEL]),
  ],
  plots: () => ['ladder-over-cores'],
  samples: ({ validation }) => validation ?? [],
}

function sizingOf({ sizing }: PlanResults): Content[] {
  if (!sizing) return []
  const { ratePerSecond, p99Ms, rows } = sizing
  return [
    table(
      `The fewest cores for ${ratePerSecond} requests a second with a p99 of ${p99Ms} ms: a model`,
      rows,
      sizeColumns,
    ),
  ]
}

function validationOf({ validation }: PlanResults): Content[] {
  if (!validation || validation.length === 0) return []
  const cells = toCells(validation)
  const verdict = describeValidation(cells)
  return [
    table('The model against measurements', cells, validationColumns),
    remarks(verdict ? [verdict, VALIDATED] : []),
  ]
}
