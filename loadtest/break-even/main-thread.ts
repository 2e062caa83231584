import { setTimeout as delay } from 'node:timers/promises'

/**
 * Longer than it takes to fall asleep. A kernel may count the CPU time of a running thread only at its ticks, 4 ms
 * apart, and up to date only when the thread leaves its core: read after a sleep it is right to a few microseconds.
 */
const SLEEP_MS = 2

/** CPU microseconds of the main thread while `work` went on, and of two sleeps, some 300 together. */
export async function meterMainThread<T>(work: () => Promise<T>): Promise<{ result: T; cpuMicros: number }> {
  await delay(SLEEP_MS)
  const before = process.threadCpuUsage()
  const result = await work()
  await delay(SLEEP_MS)
  const { user, system } = process.threadCpuUsage(before)
  return { result, cpuMicros: user + system }
}
