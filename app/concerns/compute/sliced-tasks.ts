import { setImmediate as turn } from 'node:timers/promises'
import { beginProblem, countSubsets, type subsetSum, sum } from '../../../workers/subset-sum.ts'

/** A slice takes about this long. */
const SLICE_MS = 3
/** The subsets of this many numbers are counted without a look at the clock. */
const NUMBERS_A_STEP = 9

/** The tasks that can be cut into slices, in that form. */
export const tasks = {
  subsetSum: (input: Parameters<typeof subsetSum.run>[0]) => runInSlices(subsetSumSteps(input)),
}

let sliceEndsMs = 0

/** Lets the event loop turn once if the slice is over, whichever tasks it was spent on. */
export async function turnWhenDue(): Promise<void> {
  if (performance.now() < sliceEndsMs) return
  await turn()
  sliceEndsMs = performance.now() + SLICE_MS
}

async function runInSlices<Output>(steps: Iterator<unknown, Output>): Promise<Output> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() >= sliceEndsMs) await turnWhenDue()
  }
}

function* subsetSumSteps(input: Parameters<typeof subsetSum.run>[0]) {
  const problem = beginProblem(input)
  return { ...problem, subsets: yield* countInSteps(problem.numbers, [], problem.target) }
}

/** Counts as `countSubsets` does. */
function* countInSteps(
  remaining: readonly number[],
  chosen: readonly number[],
  target: number,
): Generator<undefined, number> {
  if (remaining.length <= NUMBERS_A_STEP) {
    yield
    return countSubsets(remaining, chosen, target)
  }
  let count = 0
  for (const [index, number] of remaining.entries()) {
    const subset = chosen.concat(number)
    if (sum(subset) === target) count++
    count += yield* countInSteps(remaining.slice(index + 1), subset, target)
  }
  return count
}
