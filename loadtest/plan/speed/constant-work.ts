import { setTimeout as sleep } from 'node:timers/promises'
import { appOptions } from '../../../app/config.ts'
import { lowerPriority } from '../../../lib/lower-priority.ts'
import { tasks } from '../../../workers/tasks.ts'

/** CPU time of constant work so far. */
export interface WorkDone {
  readonly tasks: number
  readonly micros: number
}

/** The pause between two tasks, which so take 1 to 3 % of a core. */
const PAUSE_MS = 100

/** Enough tasks for V8 to optimize them. */
const WARM_UP = 200

let done: WorkDone = { tasks: 0, micros: 0 }

/** The process does one task of the service again and again, and replies to each message with the CPU time of all so far. */
process.on('message', () => process.send?.(done))
process.on('disconnect', () => process.exit())
// Ctrl-C reaches every process of a terminal; the load test itself ends the processes that it started.
process.on('SIGINT', () => {})

lowerPriority(Number(appOptions.workerPriority.default))
for (let task = 0; task < WARM_UP; task++) work()
for (;;) {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  done = { tasks: done.tasks + 1, micros: done.micros + user + system }
  await sleep(PAUSE_MS)
}

function work(): void {
  tasks.subsetSum({ size: 13, seed: 1 })
}
