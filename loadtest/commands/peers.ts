import { type Concern, type Implementation, namesOf } from '../../app/concerns.ts'
import { choice } from '../../lib/cli/options.ts'
import { type Columns, firstByte, latency, p99, valid, versus } from '../declaration/columns.ts'
import { rowsCommand } from '../declaration/rows-command.ts'
import type { ScenarioName } from '../generator/scenarios.ts'
import { BESIDE_RATE, loadOptions, samplingOptions, settingsFrom } from '../options.ts'
import { fixed, middle, sayTimes } from '../outcome/format.ts'
import { type Metric, sayVerdict } from '../outcome/metrics.ts'
import type { Results, RowResult } from '../outcome/results.ts'
import { peers } from '../peers/index.ts'
import { install } from '../peers/install.ts'
import { bars, ratios } from '../report/plots/metrics.ts'
import { type Row, rowOf, stepOf } from '../sample/rows.ts'
import { median } from '../statistics/median.ts'

interface Comparison {
  readonly scenario: ScenarioName
  /** The implementation that the peers are compared with. */
  readonly ours: string
  /** The implementation that does nothing of this concern: costs are also shown without it. */
  readonly floor?: string
  /** Implementations of the service that are no peers. */
  readonly left?: readonly string[]
}

const comparisons: Readonly<Record<ComparedConcern, Comparison>> = {
  compute: { scenario: 'cpu', ours: 'threads', floor: 'known', left: ['inline', 'nats', 'processes'] },
  // Clients of the load accept JSON only, and no upstream speaks MessagePack.
  serialization: { scenario: 'serialization', ours: 'compiled', left: ['protobuf', 'msgpackr'] },
  logging: { scenario: 'log', ours: 'sidecar', floor: 'none' },
  apm: { scenario: 'serialization', ours: 'sidecar', floor: 'none', left: ['in-process'] },
  rendering: { scenario: 'page', ours: 'threads' },
}
type ComparedConcern = keyof typeof peers & Concern
const comparedConcerns = Object.keys(comparisons) as ComparedConcern[]

export const peersCommand = rowsCommand({
  name: 'peers',
  description: `Puts what people pick instead beside ours: each in the same service, with the same requests, which are answered with
the same bodies. Installs the peers into loadtest/peers/node_modules, where nothing else uses them.`,
  options: {
    concern: choice({
      choices: comparedConcerns,
      default: 'compute',
      help: 'the concern whose implementations are compared',
    }),
    connections: loadOptions.connections,
    ...samplingOptions,
  },
  async plan({ concern, ...others }, abort) {
    await install(abort)
    const settings = settingsFrom('peers', others, {
      connections: others.connections,
      scenario: comparisons[concern].scenario,
      baseline: 'first',
      beside: 'hello',
      besideRate: BESIDE_RATE,
    })
    return { rows: rowsOf(concern), settings, startedAtMs: performance.now() }
  },
  title: ({ steps }) => `Ours and its peers: ${concernOf(steps)}`,
  columns: peerColumns,
  remarks: ({ steps }) =>
    describePlaces(steps.filter(({ name }) => name !== comparisons[concernOf(steps)].floor)),
  plots: [ratios('mainThreadMicros'), ratios('goodput'), bars('besideP99Ms')],
})

/** The step whose other concerns all rows have: each is off the main thread, and upstream is called from there. */
const SERVICE = stepOf('rendering')
/** Loads the names of the peers before the app reads its options. The path is from the root of the project. */
const REGISTER = ['--import', './loadtest/peers/register.ts']

/** A row for each implementation, in the same service: ours, then the floor, then the peers. */
export function rowsOf(concern: ComparedConcern): Row[] {
  const { ours, floor = ours, left = [] } = comparisons[concern]
  const names = new Set([ours, floor, ...namesOf(concern), ...Object.keys(peers[concern])])
  return [...names]
    .filter(name => !left.includes(name))
    .map(name => {
      const row = rowOf(SERVICE, { [concern]: name as Implementation<typeof concern> })
      return { ...row, number: null, name, ...(name in peers[concern] && { nodeFlags: REGISTER }) }
    })
}

function concernOf(steps: Results['steps']): ComparedConcern {
  const differ = (concern: ComparedConcern) =>
    new Set(steps.map(({ composition }) => composition[concern])).size > 1
  return comparedConcerns.find(differ) ?? 'compute'
}

export function peerColumns({ steps }: Pick<Results, 'steps'>): Columns {
  const concern = concernOf(steps)
  const { floor } = comparisons[concern]
  const alone = overFloor(steps, floor)
  return [
    { title: 'implementation', cell: ({ name }) => name },
    { title: 'main thread µs', cell: row => middle(row.mainThreadMicros, 0, false) },
    ...versus('versusFirst', 'mainThreadMicros', 'main thread × ours').slice(0, 1),
    { title: 'verdict', cell: row => (row.name === floor ? 'the floor' : placeOf(row)) },
    { title: 'µs over the floor', cell: ({ name }) => fixed(alone.get(name), 1) },
    { title: 'total µs', cell: row => middle(row.totalMicros, 0, false) },
    ...versus('versusFirst', 'totalMicros', 'total × ours').slice(0, 1),
    { title: 'goodput/s', cell: row => middle(row.goodput, 0, false) },
    ...versus('versusFirst', 'goodput', 'goodput × ours').slice(0, 1),
    ...(concern === 'rendering' ? [firstByte, latency('p50', 1)] : []),
    p99(1),
    { title: '/hello p99 ms', cell: row => middle(row.besideP99Ms, 1, false) },
    { title: 'memory MiB', cell: row => middle(row.memoryMiB, 0, false) },
    valid,
  ]
}

/**
 * Subtracts from the main-thread cost of each row that of the floor in the same block. The floor is the same service with
 * an implementation that does nothing, so what is left is the cost of the concern alone.
 * @returns median microseconds by the name of the row; empty without a row of the floor
 */
function overFloor(steps: Results['steps'], floor: string | undefined): Map<string, number | null> {
  const floorRow = steps.find(({ name }) => name === floor)
  if (!floorRow) return new Map()
  const floors = new Map(valuesOf(floorRow))
  return new Map(
    steps
      .filter(row => row !== floorRow)
      .map(row => {
        const differences = valuesOf(row).flatMap(([round, value]) => {
          const below = floors.get(round)
          return below === undefined ? [] : [value - below]
        })
        return [row.name, median(differences)]
      }),
  )
}

const valuesOf = ({ samples }: RowResult) =>
  samples
    .filter(({ valid }) => valid)
    .map(({ round, mainThreadMicros }) => [round, mainThreadMicros] as const)

function placeOf({ versusFirst }: RowResult): string {
  const verdict = versusFirst?.mainThreadMicros.verdict
  return verdict === undefined ? 'ours' : sayVerdict('mainThreadMicros', verdict)
}

/**
 * The metrics by which a peer is compared with ours, and their names. Wake-ups are none: their cost is CPU time, and a main
 * thread that is busier has fewer.
 */
const compared = {
  mainThreadMicros: 'main-thread time',
  goodput: 'goodput',
  totalMicros: 'total CPU time',
  p99Ms: 'p99',
  besideP99Ms: 'p99 of the neighbour',
  memoryMiB: 'memory',
} as const satisfies Partial<Record<Metric, string>>

/** Says what each peer is better at, and which are better at nothing. */
function describePlaces([ours, ...others]: readonly RowResult[]): string[] {
  if (!ours) return []
  const peers = others.map(({ name, versusFirst }) => ({
    name,
    won: (Object.keys(compared) as (keyof typeof compared)[])
      .filter(metric => versusFirst?.[metric].verdict === 'faster')
      .map(metric => `${compared[metric]} (${sayTimes(versusFirst?.[metric])})`),
  }))
  const beaten = peers.filter(({ won }) => won.length === 0).map(({ name }) => name)
  return [
    ...peers
      .filter(({ won }) => won.length > 0)
      .map(({ name, won }) => `${name} is better than ours in ${inWords(won, 'and')}.`),
    ...(beaten.length > 0
      ? [`This run does not prove ${inWords(beaten, 'or')} better than ours in any measure.`]
      : []),
  ]
}

const inWords = (words: readonly string[], last: string) =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(` ${last} `)
