import { availableParallelism, cpus } from 'node:os'

/** The cores of this machine, and how many of them were idle in a window. */
export interface Cores {
  readonly count: number
  readonly idle: number
}

/** Starts to watch the cores. @returns a function that tells their use since then */
export function watchCores(): () => Cores {
  const before = readTimes()
  return () => {
    const after = readTimes()
    const count = availableParallelism()
    // A process that may use some of the cores only has that share of their idle time at most.
    return {
      count,
      idle: Math.min(1, (after.idle - before.idle) / Math.max(1, after.all - before.all)) * count,
    }
  }
}

function readTimes() {
  const times = cpus().map(core => core.times)
  const all = times.flatMap(each => Object.values(each)).reduce((sum, each) => sum + each, 0)
  return { all, idle: times.reduce((sum, each) => sum + each.idle, 0) }
}
