import { availableParallelism } from 'node:os'
import type { Row, RowCores } from '../../sample/rows.ts'

/**
 * The time that a thread runs without a pause. After a pause its caches are cold, so a shorter time makes work dearer; a longer
 * one lets requests wait for each other.
 */
const QUOTA_MICROS = 5000
/** The share of the machine that the slow cores have together. Clients and upstream have the rest. */
const SHARE_OF_MACHINE = 0.5

/** Documents and the stage show this number of cores first: most readers have about as many. */
export const SHOWN_CORES = 8

export const onSoManyCores = <R extends { readonly cores?: RowCores }>(
  rows: readonly R[],
  count = SHOWN_CORES,
): R[] => rows.filter(({ cores }) => cores?.count === count)

/** The speed at which this many slow cores leave half of the machine to clients and upstream. */
export const speedFor = (count: number, all = availableParallelism()): number =>
  Math.min(SHARE_OF_MACHINE, (SHARE_OF_MACHINE * all) / count)

export const slowCores = (count: number, speed = speedFor(count)): RowCores => ({
  count,
  speed,
  quotaMicros: QUOTA_MICROS,
})

export const realCores = (count: number): RowCores => slowCores(count, 1)

/** Every row on some cores, against the first row there. Pools have their default size on so many cores. */
export const onCores = (rows: readonly Row[], cores: RowCores): Row[] => {
  const at = (name: string) => `${name} at ${cores.count} cores`
  const baseline = at(rows[0]?.name ?? '')
  return rows.map(row => ({
    ...row,
    name: at(row.name),
    baseline,
    app: { threads: cores.count, ...row.app },
    cores,
  }))
}
