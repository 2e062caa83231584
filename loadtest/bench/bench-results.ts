import type { Environment } from '../outcome/environment.ts'
import type { Interval } from '../statistics/median.ts'
import { pairedRatio, type Ratio } from '../statistics/ratio.ts'

/** The values of each case, one for each round. */
export type Samples<Name extends string = string> = Readonly<Record<Name, readonly number[]>>

/** All results of a bench. */
export interface BenchResults {
  readonly schemaVersion: 1
  readonly bench: string
  readonly environment: Environment
  readonly settings: { readonly rounds: number; readonly durationMs: number; readonly seed: number }
  readonly samples: Samples
}

/** The ratio of one case's cost to another's, from the pairs of each round. */
export const ratioOf = (own: readonly number[], other: readonly number[]): Ratio =>
  pairedRatio(
    own.map((value, round): Interval => [value, other[round] as number]),
    'lower',
  )
