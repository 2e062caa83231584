import type { Composition } from '../../app/concerns.ts'
import type { ScenarioName } from '../generator/scenarios.ts'

/** Where work that may leave the main thread is done. */
export type Place = 'mainThread' | 'workers' | 'rendering'

/** The way of one request through the stack, as the scenario and the composition make it. */
export interface RequestPath {
  /** Whether the request has CPU-bound work, which takes most of its time. */
  readonly isHeavy: boolean
  /** The thread that asks the upstream; null if the request needs no data. */
  readonly fetches: Place | null
  /** The place of the request's heaviest work, and the number of jobs that it is sent as. */
  readonly works: Place
  readonly jobs: number
}

interface Needs {
  readonly upstream: boolean
  readonly work: 'compute' | 'rendering' | null
  readonly jobs: number
}

/** A page of 200 orders has this many parts, see `render/parts.ts`. */
const PAGE_PARTS = 5

/** The scenarios that have one way through the stack. A mix has several, whose costs a run does not tell apart. */
const needs: Partial<Record<ScenarioName, Needs>> = {
  hello: { upstream: false, work: null, jobs: 0 },
  log: { upstream: false, work: null, jobs: 0 },
  cpu: { upstream: false, work: 'compute', jobs: 1 },
  serialization: { upstream: true, work: null, jobs: 0 },
  demo: { upstream: true, work: 'compute', jobs: 1 },
  page: { upstream: true, work: 'rendering', jobs: PAGE_PARTS },
}

/** The scenarios that can be modelled. */
export const modelledScenarios = Object.keys(needs) as ScenarioName[]

/** Tasks that leave the process are not modelled. */
const modelledCompute: readonly string[] = ['inline', 'threads']

const pools = { compute: 'workers', rendering: 'rendering' } as const

/** @returns null for a scenario or an implementation that cannot be modelled */
export function pathOf(scenario: ScenarioName, composition: Composition): RequestPath | null {
  const need = needs[scenario]
  if (!need || !modelledCompute.includes(composition.compute)) return null
  const isFetchedInThreads = composition.upstream === 'threads'
  // A thread that fetches the data also makes the answer.
  const work = need.work ?? (isFetchedInThreads && need.upstream ? 'compute' : null)
  const works = work && composition[work] === 'threads' ? pools[work] : 'mainThread'
  const fetcher = isFetchedInThreads ? works : 'mainThread'
  return {
    isHeavy: need.work !== null,
    fetches: need.upstream ? fetcher : null,
    works,
    jobs: works === 'mainThread' ? 0 : Math.max(1, need.jobs),
  }
}
