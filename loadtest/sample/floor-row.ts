import { type Composition, forEachConcern } from '../../app/concerns.ts'
import type { Row } from './rows.ts'

/** The floor, which runs no implementation of any concern. */
export const floorRow: Row = {
  number: null,
  name: 'floor',
  composition: forEachConcern(() => 'none') as unknown as Composition,
  isFloor: true,
}
