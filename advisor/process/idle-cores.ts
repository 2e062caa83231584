import { availableParallelism } from 'node:os'
import { watchMachine } from '../../loadtest/sample/machine.ts'

/** The cores of this machine, and how many of them were idle in a window. */
export interface Cores {
  readonly count: number
  readonly idle: number
}

/** Starts to watch the cores. @returns a function that tells their use since then; null if the system does not tell */
export function watchCores(): () => Cores | null {
  const readUse = watchMachine([])
  return () => {
    const [use, count] = [readUse(), availableParallelism()]
    // A process that may use some of the cores only has that share of their idle time at most.
    return use && { count, idle: Math.max(0, 1 - use.stealShare - use.othersShare - use.ownShare) * count }
  }
}
