import { setTimeout as delay } from 'node:timers/promises'

/**
 * Long enough for the thread to fall asleep. A kernel may update the CPU time of a running thread only at its ticks,
 * 4 ms apart, and when the thread leaves its core. Read after a sleep, the time is correct to a few microseconds.
 */
const SLEEP_MS = 2

/**
 * Measures the CPU microseconds of the main thread while `work` goes on, including two sleeps of about 300 together.
 */
export async function meterMainThread<T>(work: () => Promise<T>): Promise<{ result: T; cpuMicros: number }> {
  await delay(SLEEP_MS)
  const before = process.threadCpuUsage()
  const result = await work()
  await delay(SLEEP_MS)
  const { user, system } = process.threadCpuUsage(before)
  return { result, cpuMicros: user + system }
}
