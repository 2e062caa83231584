import type { Row } from './rows.ts'

/** Every row at every rate. */
export const atRates = (rows: readonly Row[], rates: readonly number[]): Row[] =>
  rows.flatMap(row =>
    rates.map(ratePerSecond => {
      const at = (name: string) => `${name} at ${ratePerSecond}/s`
      const baseline = row.baseline === undefined ? {} : { baseline: at(row.baseline) }
      return { ...row, name: at(row.name), ratePerSecond, ...baseline }
    }),
  )

/** A load of an open loop, and its name in the results. */
export interface NamedLoad {
  readonly name: string
  readonly ratePerSecond: number
}

/** All rows at each load, in the order of the loads, each against its baseline, or the first row, at the same load. */
export const atLoads = (rows: readonly Row[], loads: readonly NamedLoad[]): Row[] =>
  loads.flatMap(({ name, ratePerSecond }) => {
    const at = (row: string | undefined) => `${row} at ${name}`
    const first = rows[0]?.name
    return rows.map(row => ({
      ...row,
      ratePerSecond,
      name: at(row.name),
      baseline: at(row.baseline ?? first),
    }))
  })

/** The name of a row without the load that it is measured at. */
export const withoutLoad = (name: string): string => name.replace(/ at .*$/, '')
