import { seededRandom } from '../lib/random.ts'
import { logFromTask } from './task-log.ts'

export interface SubsetSumInput {
  /** Number of integers; the work doubles with each. */
  readonly size: number
  readonly seed: number
}

export interface SubsetSum {
  readonly seed: number
  readonly size: number
  readonly numbers: readonly number[]
  readonly target: number
  /** Number of non-empty subsets of `numbers` that add up to `target`. */
  readonly subsets: number
}

export const MAX_SIZE = 20
/** From this size on a task takes tens of milliseconds. */
const LONG_SIZE = 18

/**
 * The given CPU-bound task: it enumerates every subset and is as slow in each step as in the first (about 1.3 ms for 13
 * numbers). This project does not make it faster but moves it.
 */
export function subsetSum({ size, seed }: SubsetSumInput): SubsetSum {
  if (size >= LONG_SIZE) logFromTask('warn', 'a long task was asked for', { size })
  const { numbers, target } = drawProblem(size, seed)
  return { seed, size, numbers, target, subsets: countSubsets(numbers, [], target) }
}

/** Draws `size` integers from 1 to 20. The target is half of their sum, so that some subsets reach it. */
export function drawProblem(size: number, seed: number): { numbers: number[]; target: number } {
  const random = seededRandom(seed)
  const numbers = Array.from({ length: size }, () => 1 + Math.floor(random() * 20))
  return { numbers, target: Math.floor(sum(numbers) / 2) }
}

function countSubsets(remaining: readonly number[], chosen: readonly number[], target: number): number {
  let count = 0
  remaining.forEach((number, index) => {
    const subset = chosen.concat(number)
    if (sum(subset) === target) count++
    count += countSubsets(remaining.slice(index + 1), subset, target)
  })
  return count
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
