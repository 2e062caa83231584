import { type Composition, forEachConcern } from '../../app/concerns.ts'
import { UserError } from '../../lib/cli/user-error.ts'
import type { ScenarioName } from '../generator/scenarios.ts'
import type { Row } from '../sample/rows.ts'

/** The scenarios whose answers all have the same type. */
export const floorScenarios = [
  'demo',
  'hello',
  'cpu',
  'serialization',
  'log',
  'io',
  'page',
] as const satisfies readonly ScenarioName[]
export type FloorScenario = (typeof floorScenarios)[number]

const makeRow = (name: string, floor: NonNullable<Row['floor']>): Row => ({
  number: null,
  name,
  floor,
  composition: forEachConcern(() => 'none') as unknown as Composition,
})

/** The floor, which runs no implementation of any concern. */
export const floorRow = makeRow('floor', 'bare')

/** The floor with a hop: a worker thread makes each body. */
const hopRow = makeRow('floor+hop', 'hop')

/**
 * The rows, behind the floor and the floor with a hop if these are asked for.
 * @throws UserError when the floor cannot answer the scenario
 */
export function withFloor(
  rows: readonly Row[],
  { floor, scenario }: { readonly floor: boolean; readonly scenario: ScenarioName },
): Row[] {
  if (!floor) return [...rows]
  if (!floorScenarios.some(each => each === scenario))
    throw new UserError(`--floor answers the scenarios ${floorScenarios.join(', ')}, received ${scenario}`)
  return [floorRow, hopRow, ...rows]
}
