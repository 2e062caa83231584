import { type Composition, type Concern, concerns } from '../../app/concerns.ts'
import type { AppConfig } from '../../app/config.ts'
import { findStep, findStepNumber, lastStep, listedSteps, type Step, steps } from '../../app/steps.ts'
import { toFlags } from '../../lib/cli/command-line.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import type { ScenarioName } from '../generator/scenarios.ts'
import { getNodeOfApp, type NodeVersion } from '../nodes/installed.ts'
import type { Branch } from './branches.ts'

/** Selects the steps of a list such as `0-2,framework`; every step when there is no list. */
export function parseSteps(list: string | undefined): readonly Step[] {
  if (list === undefined) return steps
  const found = list.split(',').flatMap(item => {
    const ends = item.split('-')
    if (ends.length === 1) return [stepOf(item)]
    if (ends.length > 2) throw new UserError(`--steps takes ranges such as 0-2, received "${item}"`)
    const [first, last] = ends.map(stepOf) as [Step, Step]
    if (first.number > last.number) throw new UserError(`--steps counts upwards, received "${item}"`)
    return steps.filter(({ number }) => number >= first.number && number <= last.number)
  })
  return [...new Set(found)]
}

/** @throws UserError when there is no such step */
export function stepOf(text: string): Step {
  const found = findStep(text)
  if (found) return found
  throw new UserError(`there is no step "${text}"; the steps are ${listedSteps}`)
}

/** A row of the results: one composition, with the options that it is measured with. */
export interface Row {
  /** Number of the step; null when the row is not one of the steps. */
  readonly number: number | null
  /** `apm`, or `apm+apm=none` when implementations were named. */
  readonly name: string
  readonly composition: Composition
  /** Options of the app besides its composition; all others have their defaults. */
  readonly app?: Partial<
    Pick<AppConfig, 'instances' | 'threads' | 'overload'> & {
      /** The main thread uses this much more CPU time, in percent. */
      readonly handicapPercent: number
    }
  >
  readonly nodeFlags?: readonly string[]
  /** Of the app; that of the load test when absent. */
  readonly node?: NodeVersion
  /** Absent for the app of this checkout. */
  readonly branch?: Branch
  /** The requests of its load; those of the run when absent. */
  readonly scenario?: ScenarioName
  /** Requests a second of an open loop; absent for a closed loop. */
  readonly ratePerSecond?: number
  /** Absent for all cores of the machine. */
  readonly cores?: RowCores
  /** The name of the row that this one is compared with; the first row when absent. */
  readonly baseline?: string
}

/** Cores of the app and its sidecars: real ones of this machine, or cores in slow motion. */
export interface RowCores {
  readonly count: number
  /** Share of the time in which each core runs: 0.1 is a tenth of the speed of a real core, and 1 is a real one. */
  readonly speed: number
  /** The time that a thread may run without a pause. The period is this divided by the speed. */
  readonly quotaMicros: number
}

/** The settings with the scenario of a row, if it has one of its own. */
export const withScenarioOf = <S extends { readonly scenario: ScenarioName }>(
  { scenario }: Pick<Row, 'scenario'>,
  settings: S,
): S => (scenario ? { ...settings, scenario } : settings)

/**
 * Implementations to measure in place of a step's own, by concern; also what it does when it is overloaded, and versions of Node.js.
 */
export type Alternatives = { readonly [C in Concern]?: readonly Composition[C][] | undefined } & {
  readonly overload?: readonly AppConfig['overload'][] | undefined
  readonly node?: readonly string[] | undefined
}

/**
 * Selects the rows of `--steps`, or of `--step` with its alternatives; every step when neither is given.
 * @throws UserError when the options contradict each other or name an unknown step
 */
export function selectRows(
  stepList: string | undefined,
  step: string | undefined,
  alternatives: Alternatives,
): Row[] {
  const named = concerns.filter(concern => alternatives[concern])
  if (step && stepList) throw new UserError('--step and --steps exclude each other; give one of them')
  if (!step && named.length > 0) {
    throw new UserError(
      `--${named[0]} says what stands in for a step's implementation; name the step with --step`,
    )
  }
  const rows = step
    ? combine(named, alternatives).map(changes => rowOf(stepOf(step), changes))
    : parseSteps(stepList).map(found => rowOf(found, {}))
  const { overload: overloads, node } = alternatives
  const varied = overloads ? rows.flatMap(row => overloads.map(overload => withApp(row, { overload }))) : rows
  const nodes = new Map(node?.map(getNodeOfApp).map(each => [each.version, each] as const))
  return nodes.size > 0 ? onVersions(varied, [...nodes.values()]) : varied
}

/**
 * Selects the row of `--step` with at most one implementation a concern, or the last step.
 * @throws UserError when the options select several rows
 */
export function selectRow(step: string | undefined, alternatives: Alternatives): Row {
  const rows = selectRows(undefined, step ?? lastStep.name, alternatives)
  if (rows.length > 1)
    throw new UserError(`one row is expected, not ${rows.length}; name one implementation a concern`)
  return rows[0] as Row
}

/** Every row with its app on each version of Node.js. A row is compared with itself on the first version. */
export const onVersions = (rows: readonly Row[], nodes: readonly NodeVersion[]): Row[] =>
  rows.flatMap(row => {
    const at = ({ version }: NodeVersion) => `${row.name}+node=${version}`
    const baseline = at(nodes[0] as NodeVersion)
    return nodes.map(node => ({
      ...{ ...row, number: null, name: at(node), baseline },
      node: { version: node.version },
    }))
  })

/** A row with more options of its app, which its name lists. */
export function withApp(row: Row, app: NonNullable<Row['app']>): Row {
  const named = toFlags(app).map(flag => flag.replace(/^--/, ''))
  return { ...row, number: null, name: [row.name, ...named].join('+'), app: { ...row.app, ...app } }
}

type Changes = Partial<Record<Concern, string>>

function combine(named: readonly Concern[], alternatives: Alternatives): Changes[] {
  return named.reduce<Changes[]>(
    (rows, concern) =>
      rows.flatMap(row =>
        (alternatives[concern] ?? []).map(implementation => ({ ...row, [concern]: implementation })),
      ),
    [{}],
  )
}

export function rowOf(step: Step, changes: Changes): Row {
  const composition = { ...step.composition, ...changes } as Composition
  const name = [step.name, ...Object.entries(changes).map(change => change.join('='))].join('+')
  return { number: findStepNumber(composition), name, composition }
}
