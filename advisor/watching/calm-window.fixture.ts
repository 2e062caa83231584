import { NOISY_WAIT } from '../../loadtest/statistics/thresholds.ts'
import type { ThreadWindow } from './thread.ts'
import type { Watched } from './watch-process.ts'

export const MOST_WINDOWS = 6

/**
 * Profiles a main thread until other programs have hardly kept it waiting for a core, or takes the calmest of some windows. A
 * profile counts by the clock: a thread that loses its core in a call of the system seems to spend its time there.
 */
export async function profileCalmly(
  { profile }: Watched,
  durationMs: number,
  most = MOST_WINDOWS,
): Promise<ThreadWindow> {
  const waitOf = ({ waitedMicros, cpuMicros }: ThreadWindow) => (waitedMicros ?? 0) / cpuMicros
  let [calmest] = await profile(durationMs)
  for (let taken = 1; taken < most && waitOf(calmest) > NOISY_WAIT; taken++) {
    const [window] = await profile(durationMs)
    if (waitOf(window) < waitOf(calmest)) calmest = window
  }
  return calmest
}
