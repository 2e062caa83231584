import type { LoadFigures, LoadOptions } from '../load/load.ts'
import type { Request } from '../load/request.ts'

export const names = ['before', 'after'] as const
type Name = (typeof names)[number]

/** The same of both sides. */
export type Both<T> = Readonly<Record<Name, T>>

/** The samples of both sides of one block. */
export type Block = Both<Sample>

/** One turn of a side: what it and the load generator spent for its good responses. */
export interface Turn {
  readonly mainMicros: number
  readonly generatorMicros: number
  readonly responses: number
}

/** One fresh process under load. Micros are CPU microseconds for each good response. */
export interface Sample {
  /** The reason why the sample does not count; null if it counts. */
  readonly reason: string | null
  readonly responsesPerSecond: number
  /** Null if the program is not Node.js, or the system does not tell. */
  readonly mainThreadMicros: number | null
  /** Voluntary context switches of the main thread for each good response; null as above. */
  readonly wakeUps: number | null
  /** Whether a process that the listening one has started did clearly more than it, as in a cluster. */
  readonly hasBusierChild: boolean
  /** Of the process and all processes that it has started; null if the system does not tell. */
  readonly totalMicros: number | null
  readonly p50Ms: number
  readonly p99Ms: number
  /** CPU time of the load generator, whose work for a response is the same on both sides. */
  readonly generatorMicros: number
  /** Share of the time in which the load generator's event loop was busy. */
  readonly generatorUtilization: number
  readonly bodies: LoadFigures['bodies']
  /** In the order of the turns; those of the other side with the same places followed or went before at once. */
  readonly turns: readonly Turn[]
}

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
