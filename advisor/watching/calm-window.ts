import { UserError } from '../../lib/cli/user-error.ts'
import { NOISY_WAIT } from '../../loadtest/statistics/thresholds.ts'
import type { ThreadWindow } from './thread.ts'
import type { Watched, Windows } from './watch-process.ts'

/** A window that other programs disturb is taken again, up to so many in all. */
const MOST_WINDOWS = 3
/** Less CPU time in a window is a few hundred samples at most, whose shares are chance. */
const LEAST_CPU_MS = 200
/** A thread that waits for a core for longer than it runs may seem to spend its time in any call that lets another thread run. */
const MOST_WAITING = 1

const waitOf = ({ waitedMicros, cpuMicros }: ThreadWindow) => (waitedMicros ?? 0) / cpuMicros
/** Without the control, which takes more in ten seconds than is asked for. */
const ownMicros = ({ cpuMicros, control }: ThreadWindow) => cpuMicros - control.totalMicros
const hasRun = (main: ThreadWindow) => ownMicros(main) >= LEAST_CPU_MS * 1000
const isEnough = (main: ThreadWindow) => hasRun(main) && waitOf(main) <= NOISY_WAIT
const isBetter = (one: ThreadWindow, other: ThreadWindow) =>
  hasRun(one) === hasRun(other) ? waitOf(one) < waitOf(other) : hasRun(one)

/** Profiles until the main thread has run for long enough and hardly waited for a core, or takes the calmest of some windows. */
export async function profileCalmly(
  { profile }: Pick<Watched, 'profile'>,
  durationMs: number,
): Promise<Windows> {
  let calmest = await profile(durationMs)
  for (let taken = 1; taken < MOST_WINDOWS && !isEnough(calmest[0]); taken++) {
    const windows = await profile(durationMs)
    if (isBetter(windows[0], calmest[0])) calmest = windows
  }
  return calmest
}

/** @throws UserError when the shares of a window would be chance, or those of the calls that waited */
export function refuseUncertain(main: ThreadWindow): void {
  const time = `${(ownMicros(main) / 1e6).toFixed(2)} s of CPU time in ${(main.wallMs / 1000).toFixed(0)} s`
  if (!hasRun(main))
    throw new UserError(
      `the main thread used only ${time}: moving nothing is the answer, and the shares of so little are not known. --url loads the service, and --for watches for longer`,
    )
  if (waitOf(main) > MOST_WAITING)
    throw new UserError(
      `the main thread used ${time}, and waited for a core for ${waitOf(main).toFixed(1)} times as long: a profile counts by the clock, so its shares would be wrong. Run this as root, or on a machine with more idle cores`,
    )
}
