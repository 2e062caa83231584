import type { LoadOptions } from '../load/load.ts'
import type { Request } from '../load/request.ts'
import type { Sample } from './running-side.ts'

export const names = ['before', 'after'] as const
export type Name = (typeof names)[number]

/** The same of both sides. */
export type Both<T> = Readonly<Record<Name, T>>

/** What is compared of a sample. */
export type Figures = Omit<Sample, 'reason' | 'generatorUtilization' | 'bodies'>

/** The samples of both sides of one block. */
export type Block = Both<Sample>

export interface SampleSettings extends LoadOptions {
  readonly requests: readonly Request[]
  readonly http2: boolean
  readonly acceptErrors: boolean
  readonly warmupMs: number
  readonly forMs: number
  readonly readyMs: number
  /** Whether a sample counts however much the machine disturbed it. */
  readonly acceptNoise: boolean
}
