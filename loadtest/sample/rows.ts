import { type Composition, type Concern, concerns, forEachConcern } from '../../app/concerns.ts'
import type { AppConfig } from '../../app/config.ts'
import { findStep, findStepNumber, lastStep, listedSteps, type Step, steps } from '../../app/steps.ts'
import { toFlags } from '../../lib/command-line.ts'
import { UserError } from '../../lib/user-error.ts'

/** A row of the results: one composition, with the options that it is measured with. */
export interface Row {
  /** Number of the step; null when the row is not one of the steps. */
  readonly number: number | null
  /** `apm`, or `apm+apm=none` when implementations were named. */
  readonly name: string
  readonly composition: Composition
  /** Options of the app besides its composition; all others have their defaults. */
  readonly app?: Partial<Pick<AppConfig, 'handicapPercent' | 'workerPriority' | 'instances' | 'threads'>>
  /** Flags of Node.js that the app is started with. */
  readonly nodeFlags?: readonly string[]
  /** Requests a second of an open loop; absent for a closed loop. */
  readonly ratePerSecond?: number
  /** Whether the row is the floor: a process that sends the answers ready made runs in place of a stack. */
  readonly isFloor?: true
  /** The name of the row that this one is compared with; the first row when absent. */
  readonly baseline?: string
}

/**
 * Implementations to measure in place of a step's own, by concern; also priorities of its workers and numbers of
 * instances.
 */
export type Alternatives = { readonly [C in Concern]?: readonly Composition[C][] | undefined } & {
  readonly workerPriority?: readonly number[] | undefined
  readonly instances?: readonly number[] | undefined
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
  return variants.reduce((varied, name) => vary(varied, name, alternatives[name]), rows)
}

/**
 * Selects a single row: that of `--step` with at most one implementation a concern and one priority, or the last step
 * when no step is named.
 * @throws UserError when the options select several rows
 */
export function selectRow(step: string | undefined, alternatives: Alternatives): Row {
  const rows = selectRows(undefined, step ?? lastStep.name, alternatives)
  if (rows.length > 1)
    throw new UserError(
      `one row is expected, not ${rows.length}; name one implementation a concern, one priority`,
    )
  return rows[0] as Row
}

/** The floor, which runs no implementation of any concern. */
export const floorRow: Row = {
  number: null,
  name: 'floor',
  composition: forEachConcern(() => 'none') as unknown as Composition,
  isFloor: true,
}

/** A row twice: a difference between the two is chance. */
export const twice = (row: Row): Row[] => [row, { ...row, name: `${row.name} again` }]

/** A row, and the same row with a main thread that uses this much more CPU time. */
export const handicapped = (row: Row, handicapPercent: number): Row[] => [
  row,
  {
    ...row,
    number: null,
    name: `${row.name}+handicap=${handicapPercent}%`,
    app: { ...row.app, handicapPercent },
  },
]

/** One app of the last step, with this many threads in each pool. */
export const poolOf = (threads: number): Row => withApp(rowOf(lastStep, {}), { threads })

/** Ways of V8 to collect garbage, with the flags that select them. */
const collectors = (semiSpaceMib: readonly number[]) => [
  { name: 'single-threaded', nodeFlags: ['--single-threaded-gc'] },
  ...semiSpaceMib.map(mib => ({
    name: `semi-space-${mib}-MiB`,
    nodeFlags: [`--max-semi-space-size=${mib}`],
  })),
]

/** A row, and the same row with other ways to collect garbage. */
export const withCollectors = (row: Row, semiSpaceMib: readonly number[]): Row[] => [
  row,
  ...collectors(semiSpaceMib).map(({ name, nodeFlags }) => ({
    ...row,
    number: null,
    name: `${row.name}+gc=${name}`,
    nodeFlags,
  })),
]

/** Every row at every rate. */
export const atRates = (rows: readonly Row[], rates: readonly number[]): Row[] =>
  rows.flatMap(row =>
    rates.map(ratePerSecond => ({ ...row, name: `${row.name} at ${ratePerSecond}/s`, ratePerSecond })),
  )

/** A load of an open loop, and its name in the results. */
export interface NamedLoad {
  readonly name: string
  readonly ratePerSecond: number
}

/** All rows at each load, in the order of the loads. Each row is compared with the first at the same load. */
export const atLoads = ([first, ...others]: readonly Row[], loads: readonly NamedLoad[]): Row[] =>
  loads.flatMap(({ name, ratePerSecond }) => {
    const at = (row: Row) => ({ ...row, name: `${row.name} at ${name}`, ratePerSecond })
    if (!first) return []
    const baseline = at(first).name
    return [first, ...others].map(row => ({ ...at(row), baseline }))
  })

/** The name of a row without the load that it is measured at. */
export const withoutLoad = (name: string): string => name.replace(/ at .*$/, '')

/** Options of the app that give a row for each of their values. */
const variants = ['workerPriority', 'instances'] as const

/** Every row with every value of an option of the app; the rows unchanged when there are no values. */
const vary = (
  rows: Row[],
  option: (typeof variants)[number],
  values: readonly number[] | undefined,
): Row[] => (values ? rows.flatMap(row => values.map(value => withApp(row, { [option]: value }))) : rows)

/** A row with more options of its app, which its name lists. */
export function withApp(row: Row, app: NonNullable<Row['app']>): Row {
  const named = toFlags(app).map(flag => flag.replace(/^--/, ''))
  return { ...row, number: null, name: [row.name, ...named].join('+'), app: { ...row.app, ...app } }
}

/** Selects the steps of a list such as `0-2,framework`; every step when there is no list. */
function parseSteps(list: string | undefined): readonly Step[] {
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

function stepOf(text: string): Step {
  const found = findStep(text)
  if (found) return found
  throw new UserError(`there is no step "${text}"; the steps are ${listedSteps}`)
}

type Changes = Partial<Record<Concern, string>>

/** Every combination of the alternatives. */
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
