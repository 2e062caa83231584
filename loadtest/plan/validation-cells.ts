import type { Row } from '../sample/rows.ts'

/** The steps that are validated if the run has them; otherwise all of the run. */
export const VALIDATED_STEPS = [0, 1, 5, 6]

/** The numbers of cores besides all, of connections of a closed loop, and the shares of the capacity in percent. */
export const FEW_CORES = [2, 1]
const CONNECTIONS = [50, 20, 5]
const SHARES = [30, 60, 90]
export const MOST_CONNECTIONS = Math.max(...CONNECTIONS)

/** The open loops from which the model has its costs, besides the closed loop of the most connections. */
const COST_SHARES = [10, 30, 60]

/** A situation to measure. The rate of an open loop follows from the capacity of the first row. */
export interface PlannedCell {
  readonly row: Row
  readonly cores: number
  readonly connections: number
  readonly sharePercent: number | null
}

/** All cells of a row on this many cores. */
export const planCells = (row: Row, cores: number): PlannedCell[] => [
  ...CONNECTIONS.map(connections => ({ row, cores, connections, sharePercent: null })),
  ...atShares(SHARES, row, cores),
]

/** The situations on this many cores from which the model of a row has its costs there. */
export const planCosts = (row: Row, cores: number): PlannedCell[] => [
  { row, cores, connections: MOST_CONNECTIONS, sharePercent: null },
  ...atShares(COST_SHARES, row, cores),
]

const atShares = (shares: readonly number[], row: Row, cores: number): PlannedCell[] =>
  shares.map(sharePercent => ({ row, cores, connections: MOST_CONNECTIONS, sharePercent }))

/** Requests a second; null for a closed loop. */
export const rateOf = ({ sharePercent }: PlannedCell, capacity: number): number | null =>
  sharePercent === null ? null : Math.max(1, Math.round((capacity * sharePercent) / 100))

/** Names a situation in a line of progress. */
export const describeCell = ({ cores, connections, sharePercent }: Omit<PlannedCell, 'row'>): string =>
  `${cores} ${cores === 1 ? 'core' : 'cores'}, ${sharePercent === null ? `${connections} connections` : `${sharePercent} %`}`
