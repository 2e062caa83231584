import { integer, type Values } from '../lib/cli/options.ts'
import { seededRandom, seedParameter } from '../lib/random.ts'
import { logFromTask } from './task-log.ts'

/** The work doubles with each number. */
const parameters = {
  size: integer({ min: 1, max: 20, default: '13', help: 'how many numbers' }),
  seed: seedParameter,
} as const

interface Output {
  readonly seed: number
  readonly size: number
  readonly numbers: readonly number[]
  readonly target: number
  /** Number of non-empty subsets of `numbers` that add up to `target`. */
  readonly subsets: number
}

const number = { type: 'integer' } as const

const output = {
  type: 'object',
  properties: {
    seed: number,
    size: number,
    numbers: { type: 'array', items: number },
    target: number,
    subsets: number,
  } satisfies Record<keyof Output, object>,
} as const

/** From this size on a task takes tens of milliseconds. */
const LONG_SIZE = 18

/**
 * The given CPU-bound task: it enumerates every subset and is as slow in each step as in the first (about 1.3 ms for 13
 * numbers). This project does not make it faster but moves it.
 */
export const subsetSum = {
  path: '/cpu',
  parameters,
  output,
  run({ size, seed }: Values<typeof parameters>): Output {
    if (size >= LONG_SIZE) logFromTask('warn', 'a long task was asked for', { size })
    const { numbers, target } = drawProblem(size, seed)
    return { seed, size, numbers, target, subsets: countSubsets(numbers, [], target) }
  },
} as const

/** Draws `size` integers from 1 to 20. The target is half of their sum, so that some subsets reach it. */
export function drawProblem(size: number, seed: number): { numbers: number[]; target: number } {
  const random = seededRandom(seed)
  const numbers = Array.from({ length: size }, () => 1 + Math.floor(random() * 20))
  return { numbers, target: Math.floor(sum(numbers) / 2) }
}

/** Counts the subsets that consist of `chosen` and at least one of `remaining`, and add up to `target`. */
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
