import { type Composition, forEachConcern } from '../../app/concerns.ts'
import type { Row } from './rows.ts'

const makeRow = (name: string, floor: NonNullable<Row['floor']>): Row => ({
  ...{ number: null, name, floor },
  composition: forEachConcern(() => 'none') as unknown as Composition,
})

/** The floor, which runs no implementation of any concern. */
export const floorRow = makeRow('floor', 'bare')

/** The floor with a hop: a worker thread makes each body. */
export const hopRow = makeRow('floor+hop', 'hop')
