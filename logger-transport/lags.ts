import type { Followed } from './bounds.ts'
import { bytesWaiting, type Listing, listWriters, segmentSizes } from './writers.ts'

/** Returns the number of bytes that wait for each target, by the target's name. */
export async function readLags(
  listing: Listing,
  followed: readonly Followed[],
): Promise<ReadonlyMap<string, number>> {
  const lags = new Map(followed.map(({ name }) => [name, 0]))
  for (const writer of await listWriters(listing)) {
    const sizes = await segmentSizes(writer)
    for (const { name, checkpoint } of followed)
      lags.set(name, (lags.get(name) as number) + bytesWaiting(sizes, checkpoint.position(writer)))
  }
  return lags
}
