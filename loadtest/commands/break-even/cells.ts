import type { Implementation } from '../../../app/concerns.ts'

export const gridComputes = ['inline', 'threads', 'processes'] as const satisfies Implementation<'compute'>[]

/** One point of the grid: tasks of one kind, run by one implementation of compute. */
export interface Cell {
  readonly compute: (typeof gridComputes)[number]
  /** CPU time of an undisturbed task. */
  readonly lengthMicros: number
  /** Size of the payload that is sent with a task, and comes back with its answer. */
  readonly payloadBytes: number
  /** Number of clients; each asks again once it is answered. */
  readonly concurrency: number
}

/** The axes of the grid, each in ascending order. */
export interface Axes {
  readonly lengthsMicros: readonly number[]
  readonly payloadsBytes: readonly number[]
  readonly concurrencies: readonly number[]
}

/** The longest time that tasks may block a main thread. Longer ones show nothing new. */
const LONGEST_TURN_MICROS = 100_000
/** Larger payloads are measured at every third length, because logarithms of costs are nearly straight lines between them. */
const LENGTHS_PER_STRIDE = 3

/**
 * The smallest payload with every length at every concurrency, and the larger ones with every third length at the lowest
 * concurrency: all points of the grid would take an hour.
 */
export function planCells({ lengthsMicros, payloadsBytes, concurrencies }: Axes): Cell[] {
  const [smallest = 0, ...larger] = payloadsBytes
  const lines = [
    ...concurrencies.map(concurrency => ({ concurrency, payloadBytes: smallest, stride: 1 })),
    ...larger.map(payloadBytes => ({
      concurrency: concurrencies[0] as number,
      payloadBytes,
      stride: LENGTHS_PER_STRIDE,
    })),
  ]
  return lines.flatMap(({ concurrency, payloadBytes, stride }) =>
    lengthsMicros
      .filter((length, index) => index % stride === 0 && isShortTurn(length, concurrency))
      .flatMap(lengthMicros =>
        gridComputes.map(compute => ({ compute, lengthMicros, payloadBytes, concurrency })),
      ),
  )
}

const isShortTurn = (lengthMicros: number, concurrency: number) =>
  concurrency === 1 || lengthMicros * concurrency <= LONGEST_TURN_MICROS

export const formatMicros = (micros: number): string => formatScaled(micros, ['µs', 'ms', 's'])
export const formatBytes = (bytes: number): string => formatScaled(bytes, ['B', 'KB', 'MB'])

/** Formats a value with two digits, or three from 100 on: `85 µs`, `1.2 ms`, `100 KB`. */
function formatScaled(value: number, units: readonly [string, string, string]): string {
  const step = value >= 1e6 ? 2 : value >= 1e3 ? 1 : 0
  const scaled = value / 1000 ** step
  return `${Number(scaled.toPrecision(scaled >= 100 ? 3 : 2))} ${units[step]}`
}

export const formatConcurrency = (concurrency: number): string =>
  concurrency === 1 ? 'one task at a time' : `${concurrency} at a time`
