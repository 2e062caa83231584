import type { Results, RowResult } from '../../outcome/results.ts'
import { createComparison } from '../../statistics/compare-rows.ts'
import { median } from '../../statistics/median.ts'
import type { Ratio } from '../../statistics/ratio.ts'

/** The main-thread cost of one implementation without the rest of the request. */
export interface OverFloor {
  readonly micros: number | null
  /** Over that of ours; null for ours. */
  readonly versusOurs: Ratio | null
}

/**
 * Subtracts from the main-thread cost of each row that of the floor in the same block. The floor is the same service with
 * an implementation that does nothing, so what is left is the cost of the concern alone.
 * @returns empty without a row of the floor
 */
export function overFloor(
  { steps }: Pick<Results, 'steps'>,
  floor: string | undefined,
): Map<string, OverFloor> {
  const floorRow = steps.find(({ name }) => name === floor)
  const rows = floorRow ? steps.filter(row => row !== floorRow) : []
  const floors = new Map(floorRow && valuesOf(floorRow))
  const micros = rows.map(row =>
    valuesOf(row).flatMap(([round, value]) => {
      const below = floors.get(round)
      return below === undefined ? [] : [[round, value - below] as const]
    }),
  )
  // A difference that is not positive has no logarithm: its row is too near to the floor to be compared.
  const metric = micros.map(
    values =>
      new Map(
        values.every(([, value]) => value > 0)
          ? values.map(([round, value]) => [round, Math.log(value)])
          : [],
      ),
  )
  const compare = createComparison({ metric, covariates: {}, better: 'lower' })
  return new Map(
    rows.map(({ name }, index) => [
      name,
      {
        micros: median((micros[index] ?? []).map(([, value]) => value)),
        versusOurs: index === 0 ? null : compare(index, 0, []),
      },
    ]),
  )
}

const valuesOf = ({ samples }: RowResult) =>
  samples
    .filter(({ valid }) => valid)
    .map(({ round, mainThreadMicros }) => [round, mainThreadMicros] as const)
