import { availableParallelism } from 'node:os'
import type { Row, RowCores } from '../../sample/rows.ts'

/**
 * The default time that a thread runs without a pause, in microseconds. After each pause its caches are cold, so a shorter time makes
 * work dearer; a longer one lets requests wait for each other. docs/cores.md has both.
 */
const QUOTA_MICROS = 5000
/** The share of the machine that the slow cores have together. Clients and upstream have the rest. */
const SHARE_OF_MACHINE = 0.5

/** The number of cores that documents and the stage show first: most readers have about as many. */
export const SHOWN_CORES = 8

/** The rows that were measured on this many cores. */
export const onSoManyCores = <R extends { readonly cores?: RowCores }>(
  rows: readonly R[],
  count = SHOWN_CORES,
): R[] => rows.filter(({ cores }) => cores?.count === count)

/** The speed at which this many slow cores leave half of the machine to clients and upstream. */
export const speedFor = (count: number, all = availableParallelism()): number =>
  Math.min(SHARE_OF_MACHINE, (SHARE_OF_MACHINE * all) / count)

/** How slow cores run. */
interface Motion {
  /** The speed of each core, in percent of a real one; as fast as the machine allows when absent. */
  readonly percent?: number
  readonly quotaMicros?: number | undefined
}

export const slowCores = (count: number, { percent, quotaMicros = QUOTA_MICROS }: Motion = {}): RowCores => ({
  count,
  speed: percent === undefined ? speedFor(count) : percent / 100,
  quotaMicros,
})

export const realCores = (count: number): RowCores => ({ count, speed: 1, quotaMicros: QUOTA_MICROS })

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

/** The speeds that must give the same, in percent of a real core. */
export const VALIDATED_PERCENT = [25, 12.5, 6.25] as const

/**
 * Every row at several speeds, on so many slow cores that share as many real ones. Each is compared with itself at full speed, and must
 * have the same goodput; so must the speeds.
 */
export const slowBesideReal = (rows: readonly Row[], count: number, quotaMicros?: number): Row[] =>
  rows.flatMap(row => {
    const at = (percent: number) => `${row.name} at ${percent} %`
    return VALIDATED_PERCENT.map(percent => ({
      ...row,
      number: null,
      name: at(percent),
      baseline: at(VALIDATED_PERCENT[0]),
      app: { threads: count, ...row.app },
      cores: { ...slowCores(count, { percent, quotaMicros }), validates: true },
    }))
  })
