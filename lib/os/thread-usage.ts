import type { Worker } from 'node:worker_threads'

/** CPU time of threads by their ids, in microseconds. A thread that is just being replaced is left out. */
export async function readThreads(threads: readonly Worker[]): Promise<Map<number, number>> {
  const readings = await Promise.allSettled(
    threads.map(async thread => {
      const { user, system } = await thread.cpuUsage()
      return [thread.threadId, user + system] as const
    }),
  )
  return new Map(readings.flatMap(reading => (reading.status === 'fulfilled' ? [reading.value] : [])))
}
