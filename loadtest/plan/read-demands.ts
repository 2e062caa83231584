import type { Composition } from '../../app/concerns.ts'
import { UserError } from '../../lib/user-error.ts'
import type { Load } from '../generator/protocol.ts'
import type { ScenarioName } from '../generator/scenarios.ts'
import type { Results, RowResult } from '../outcome/results.ts'
import { loadOf } from '../sample/generate-load.ts'
import type { Row } from '../sample/rows.ts'
import { withoutLoad } from '../sample/rows-at-loads.ts'
import type { Sample } from '../sample/sample.ts'
import type { SampleSettings } from '../sample/settings.ts'
import type { ThreadTime } from '../sample/thread-times.ts'
import { median } from '../statistics/median.ts'
import { type DemandAtLoad, forEachPart, type Part, type PerPart } from './demands.ts'
import { modelledScenarios, pathOf } from './path.ts'
import type { SimulatedWindow } from './simulate.ts'
import { windowOfSample } from './window.ts'

/** A step as a run has measured it, at one or several loads. */
export interface MeasuredStep {
  readonly number: number | null
  readonly name: string
  readonly composition: Composition
  readonly demands: readonly DemandAtLoad[]
  /** Medians of the samples at each load, in the order of the demands, to compare the model with. */
  readonly loads: readonly MeasuredLoad[]
  /** Memory of the app and its sidecars; null when the system does not tell. */
  readonly memoryMiB: number | null
}

export interface MeasuredLoad {
  readonly load: Load
  readonly window: SimulatedWindow
  readonly goodput: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Share of the time of the cores that the host of a virtual machine took. */
  readonly stealShare: number
}

/** Everything that the model is made of. */
export interface ModelInput {
  readonly scenario: ScenarioName
  readonly cores: number
  /** Number of cores that clients and upstream had of their own; null if they shared those of the app. */
  readonly apart: number | null
  readonly threads: number
  readonly connections: number
  readonly steps: readonly MeasuredStep[]
}

/** @throws UserError when the run lacks something that the model needs */
export function readModelInput(results: Results): ModelInput {
  const { environment, settings, steps } = results
  const { scenario, threads, connections } = settings
  const hindrance = findHindrance(results)
  if (hindrance) throw new UserError(`no model can be made of this run: ${hindrance}`)
  if (!modelledScenarios.includes(scenario))
    throw new UserError(
      `the scenario ${scenario} cannot be modelled; measure one of ${modelledScenarios.join(', ')}`,
    )
  const cores = settings.cores?.length ?? environment.cores
  const apart = settings.cores ? environment.cores - cores : null
  const rows = steps.filter(row => isModelled(row, scenario) && usable(row).length > 0)
  if (rows.length === 0)
    throw new UserError('the run has no sample with the CPU time of all threads; plan --measure takes them')
  const named = Map.groupBy(rows, ({ name }) => withoutLoad(name))
  return {
    ...{ scenario, cores, apart, threads, connections },
    steps: [...named.values()].map(same => toStep(same, settings)),
  }
}

/** The reason why the costs of a run are not those of a stack that runs alone and fresh; undefined if they are. */
function findHindrance({ partial, settings: { beside, pin, keepsStacks } }: Results): string | undefined {
  const hindrances: Readonly<Record<string, boolean | undefined>> = {
    'it was interrupted': partial,
    'a second load ran beside the measured one': beside !== null,
    '--pin kept its parts on cores of their own': pin,
    'its stacks were kept for several samples (--quick)': keepsStacks,
  }
  return Object.keys(hindrances).find(reason => hindrances[reason])
}

/** Whether the row can be modelled: it has no options but its composition, and runs on the current Node.js. */
const isModelled = ({ composition, app, node, nodeFlags }: RowResult, scenario: ScenarioName) =>
  pathOf(scenario, composition) !== null && [app, node, nodeFlags].every(each => each === undefined)

const usable = ({ samples }: MeasuredRow) => samples.filter(({ valid, threads }) => valid && threads?.length)

/** A step under one load, with its samples. */
type MeasuredRow = Row & { readonly samples: readonly Sample[] }

type ArrivalSettings = Pick<SampleSettings, 'arrivals' | 'seed' | 'warmupSeconds'>

/** @param rows the step at each load */
export function toStep(rows: readonly MeasuredRow[], settings: ArrivalSettings): MeasuredStep {
  const { number, name, composition } = rows[0] as MeasuredRow
  const samples = rows.flatMap(usable)
  return {
    ...{ number, name: withoutLoad(name), composition },
    demands: rows.map(row => {
      const all = usable(row).map(toMicros)
      return {
        isClosed: row.ratePerSecond === undefined,
        ratePerSecond: median(usable(row).map(({ goodput }) => goodput)) as number,
        micros: forEachPart(part => median(all.map(micros => micros[part])) ?? 0),
      }
    }),
    loads: rows.map(row => toLoad(row, usable(row), settings)),
    memoryMiB: median(samples.flatMap(({ memoryMiB }) => memoryMiB ?? [])),
  }
}

/** Of several samples, the arrivals are those of the first. */
const toLoad = (
  { ratePerSecond }: Row,
  samples: readonly Sample[],
  settings: ArrivalSettings,
): MeasuredLoad => {
  const middle = (of: (sample: Sample) => number) => median(samples.map(of)) ?? Number.NaN
  const load = loadOf(settings, samples[0]?.round ?? 1, ratePerSecond)
  const durationSeconds = middle(({ responses, goodput }) => responses / goodput)
  return {
    load,
    window: windowOfSample(load, settings.warmupSeconds, durationSeconds),
    goodput: middle(({ goodput }) => goodput),
    p50Ms: middle(({ latencyMs }) => latencyMs.p50),
    p99Ms: middle(({ latencyMs }) => latencyMs.p99),
    stealShare: middle(({ machine }) => machine?.stealShare ?? 0),
  }
}

/** CPU microseconds a request. */
function toMicros({ threads, mainThreadMicros }: Sample): PerPart<number> {
  const all = threads ?? []
  return forEachPart(part =>
    part === 'mainThread' ? mainThreadMicros : sum(all.filter(thread => partOf(thread) === part)),
  )
}

const sum = (threads: readonly ThreadTime[]) => threads.reduce((total, { cpuMicros }) => total + cpuMicros, 0)

const otherProcesses: Readonly<Record<string, Part>> = {
  orders: 'upstream',
  generator: 'clients',
  'logger-transport': 'loggerTransport',
  'apm-agent': 'apmAgent',
}

/** Names of the app's threads: see `worker_threads`, whose threads have the name that they are started with. */
const threadsOfApp: Readonly<Record<string, Part>> = { answer: 'workers', render: 'rendering' }

/** The part that a thread belongs to. The main thread is measured apart, because its name depends on the version of Node.js. */
function partOf({ process, thread }: ThreadTime): Part | null {
  if (process !== 'app') return otherProcesses[process] ?? null
  if (/^node(-MainThread)?$/.test(thread)) return null
  return threadsOfApp[thread] ?? 'helpers'
}
