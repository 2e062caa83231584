import type { Cell } from '../commands/break-even/cells.ts'
import type { CellOrder } from '../commands/break-even/protocol.ts'

/** Jobs under way at saturation: twice as many as a worker with one thread holds, so that jobs always wait. */
export const WINDOW = 128

export const sizes = { '100 B': 100, '1 KiB': 1024, '16 KiB': 16_384, '100 KiB': 102_400 } as const
export type Size = keyof typeof sizes
export const sizeNames = Object.keys(sizes) as Size[]

/** Milliseconds by which the round trip between server and worker is made longer. */
export const distancesMs = [0, 0.1, 1, 10] as const
type DistanceMs = (typeof distancesMs)[number]
/** Sizes that are sent over every distance. */
export const farSizes: readonly Size[] = ['100 B', '100 KiB']

export const saturated = (size: Size) => `saturated, ${size}`
export const alone = (size: Size, distanceMs: DistanceMs) => `one at a time, ${size}, ${distanceMs} ms away`

type NatsCase = Pick<Cell, 'payloadBytes' | 'concurrency'> & Pick<CellOrder, 'roundTripMs'>

/** The cases by name: every size at saturation, and small and large jobs one at a time over every distance. */
export const cases: ReadonlyMap<string, NatsCase> = new Map([
  ...sizeNames.map((size): [string, NatsCase] => [
    saturated(size),
    { payloadBytes: sizes[size], concurrency: WINDOW, roundTripMs: 0 },
  ]),
  ...farSizes.flatMap(size =>
    distancesMs.map((roundTripMs): [string, NatsCase] => [
      alone(size, roundTripMs),
      { payloadBytes: sizes[size], concurrency: 1, roundTripMs },
    ]),
  ),
])
