import { integerRule } from '../cli/checked-options.ts'
import { poolBounds } from './pool-bounds.ts'

/** The rules of the options that every pool of threads has, for code that creates one. */
export const poolRules = {
  threads: integerRule(poolBounds.threads),
  workerPriority: integerRule(poolBounds.workerPriority),
  workerMemoryMib: integerRule(poolBounds.workerMemoryMib),
} as const
