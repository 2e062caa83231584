import { type Concern, concerns } from '../../app/concerns.ts'
import type { ScenarioName } from '../generator/scenarios.ts'
import type { Row } from './rows.ts'

/** The request that each concern is most of, and how people read it. */
const requests: Readonly<Record<Concern, readonly [ScenarioName, string]>> = {
  framework: ['hello', '/hello'],
  compute: ['cpu', '/cpu'],
  serialization: ['numbers', '/serialization, 1000 orders of numbers'],
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
 * Each pair of neighbours that differ in one concern, on the request of that concern. The first of a pair is compared with
 * nothing, and the other with the first.
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
