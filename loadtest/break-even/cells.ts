import { type Implementation, namesOf } from '../../app/concerns.ts'

/** One point of the grid: tasks of one kind, run by one implementation of compute. */
export interface Cell {
  readonly compute: Implementation<'compute'>
  /** CPU time of a task where nothing disturbs it. */
  readonly lengthMicros: number
  /** Goes with a task, and comes back with its answer. */
  readonly payloadBytes: number
  /** Clients that each ask again once answered. */
  readonly concurrency: number
}

/** What the grid is made of, each in ascending order. */
export interface Axes {
  readonly lengthsMicros: readonly number[]
  readonly payloadsBytes: readonly number[]
  readonly concurrencies: readonly number[]
}

/** A main thread that runs its tasks itself hears nothing for so long at most; longer says nothing new. */
const LONGEST_TURN_MICROS = 100_000
/** Between lengths so far apart, costs are as good as straight lines in logarithms: enough to see where they cross. */
const LENGTHS_PER_STRIDE = 3

/**
 * Not every point of the grid, which would take an hour: the smallest payload with every length at every concurrency,
 * and the larger payloads with every third length at the lowest.
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
        namesOf('compute').map(compute => ({ compute, lengthMicros, payloadBytes, concurrency })),
      ),
  )
}

/** The lengths that are not measured at a concurrency, since a turn of the main thread would take too long. */
export const findLongTurns = ({ lengthsMicros, concurrencies }: Axes) =>
  concurrencies
    .map(concurrency => ({
      concurrency,
      lengthsMicros: lengthsMicros.filter(length => !isShortTurn(length, concurrency)),
    }))
    .filter(({ lengthsMicros }) => lengthsMicros.length > 0)

const isShortTurn = (lengthMicros: number, concurrency: number) =>
  concurrency === 1 || lengthMicros * concurrency <= LONGEST_TURN_MICROS
