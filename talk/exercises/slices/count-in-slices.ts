import { setImmediate as turn } from 'node:timers/promises'

/** A slice takes about this long. */
const SLICE_MS = 5
/** Subsets between two looks at the clock. */
const SUBSETS_A_LOOK = 1000

/**
 * Counts the non-empty subsets of numbers that add up to a target, in slices between which the event loop turns.
 * @throws the reason of `signal` once it is aborted, at the next slice
 */
export async function countInSlices(
  numbers: readonly number[],
  target: number,
  signal: AbortSignal,
): Promise<number> {
  let count = 0
  let sliceEndsMs = performance.now() + SLICE_MS
  for (let subset = 1; subset < 2 ** numbers.length; subset++) {
    if (sumOf(subset, numbers) === target) count++
    if (subset % SUBSETS_A_LOOK > 0 || performance.now() < sliceEndsMs) continue
    await turn()
    signal.throwIfAborted()
    sliceEndsMs = performance.now() + SLICE_MS
  }
  return count
}

/** The sum of the numbers whose bits are set in `subset`. */
function sumOf(subset: number, numbers: readonly number[]): number {
  let sum = 0
  for (const [bit, number] of numbers.entries()) if (subset & (1 << bit)) sum += number
  return sum
}
