import type { Row } from '../sample/rows.ts'

/** The numbers of cores, of connections of a closed loop, and the shares of the capacity of an open loop, in percent. */
export const VALIDATED_CORES = [2, 1]
const CONNECTIONS = [50, 20, 5]
const SHARES = [30, 60, 90]
export const MOST_CONNECTIONS = Math.max(...CONNECTIONS)

/** The steps that are validated if the run has them; otherwise all of the run. */
export const VALIDATED_STEPS = [0, 1, 5, 6]

/** A situation to measure. The rate of an open loop follows from the capacity that was measured before. */
export interface PlannedCell {
  readonly row: Row
  readonly cores: number
  readonly connections: number
  readonly sharePercent: number | null
}

/** All cells on this many cores. */
export function planCells(rows: readonly Row[], cores: number): PlannedCell[] {
  const closed = CONNECTIONS.flatMap(connections =>
    rows.map(row => ({ row, cores, connections, sharePercent: null })),
  )
  const open = SHARES.flatMap(sharePercent =>
    rows.map(row => ({ row, cores, connections: MOST_CONNECTIONS, sharePercent })),
  )
  return [...closed, ...open]
}

/** Requests a second; null for a closed loop. */
export const rateOf = ({ sharePercent }: PlannedCell, capacity: number): number | null =>
  sharePercent === null ? null : Math.max(1, Math.round((capacity * sharePercent) / 100))
