import { type Concern, concerns } from '../../app/concerns.ts'
import { firstStep, type Step } from '../../app/steps.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import type { ScenarioName } from '../generator/scenarios.ts'
import { type Branch, checkOut } from './branches.ts'
import { type Row, rowOf } from './rows.ts'

/** A step, and the same step with one concern at a time put back to its implementation in the first step. */
export const ablated = (step: Step): Row[] => [
  rowOf(step, {}),
  ...concerns
    .filter(concern => step.composition[concern] !== firstStep.composition[concern])
    .map(concern => rowOf(step, { [concern]: firstStep.composition[concern] })),
]

/** Each row with the app of a branch, and behind it the row itself, which is compared with that. */
export function besideBranch(
  rows: readonly Row[],
  name: string,
  find: (name: string) => Branch = checkOut,
): Row[] {
  if (/^step-\d+-/.test(name))
    throw new UserError(
      `${name} has one step only: measure it there by "npm run loadtest", or name a branch with all steps`,
    )
  const branch = find(name)
  return rows.flatMap(row => {
    const baseline = `${row.name}+branch=${name}`
    return [
      { ...row, number: null, name: baseline, branch, baseline },
      { ...row, baseline },
    ]
  })
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

/** A load of an open loop, and its name in the results. */
export interface NamedLoad {
  readonly name: string
  readonly ratePerSecond: number
}

const atLoad = (row: Row, { name, ratePerSecond }: NamedLoad, baseline?: string): Row => ({
  ...row,
  ratePerSecond,
  name: `${row.name} at ${name}`,
  ...(baseline !== undefined && { baseline: `${baseline} at ${name}` }),
})

/** Every row at every rate. */
export const atRates = (rows: readonly Row[], rates: readonly number[]): Row[] =>
  rows.flatMap(row => rates.map(ratePerSecond => atLoad(row, { name: `${ratePerSecond}/s`, ratePerSecond })))

/** All rows at each load, in the order of the loads, each against the first row at the same load. */
export const atLoads = (rows: readonly Row[], loads: readonly NamedLoad[]): Row[] =>
  loads.flatMap(load => rows.map(row => atLoad(row, load, rows[0]?.name)))

/** The name of a row without the load that it is measured at. */
export const withoutLoad = (name: string): string => name.replace(/ at .*$/, '')

/** The request that each concern is most of, and how people read it. */
const requests: Readonly<Record<Concern, readonly [ScenarioName, string]>> = {
  framework: ['hello', '/hello'],
  compute: ['cpu', '/cpu'],
  serialization: ['numbers', '/serialization, 1000 orders, all numbers'],
  logging: ['log', '/log, ten lines'],
  apm: ['hello', '/hello'],
  rendering: ['page', '/page'],
  upstream: ['demo', '/demo'],
}

/** The concern that a row moves against another; undefined unless it is exactly one. */
function movedConcern(row: Row, above: Row | undefined): Concern | undefined {
  const moved = above ? concerns.filter(each => above.composition[each] !== row.composition[each]) : []
  return moved.length === 1 ? moved[0] : undefined
}

/**
 * Each pair of neighbours that differ in one concern, on the request of that concern. The second is compared with the first.
 */
export const onOwnRequests = (rows: readonly Row[]): Row[] =>
  rows.flatMap((row, index) => {
    const above = rows[index - 1]
    const concern = movedConcern(row, above)
    if (!above || !concern) return []
    const [scenario] = requests[concern]
    const on = ({ name }: Row) => `${name} on ${scenario}`
    const own = { number: null, scenario, baseline: on(above) }
    return [
      { ...above, ...own, name: on(above) },
      { ...row, ...own, name: on(row) },
    ]
  })

/** A step on its own request: the row that was compared with the step before, and the request in words. */
export function findOnOwnRequest<R extends Row>(
  name: string,
  measured: readonly R[],
): { readonly row: R; readonly request: string } | undefined {
  const row = measured.find(({ name: own, baseline }) => own !== baseline && own.startsWith(`${name} on `))
  const found = Object.values(requests).find(([scenario]) => scenario === row?.scenario)
  return row && found && { row, request: found[1] }
}
