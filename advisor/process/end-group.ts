import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { hasEnded } from '../../lib/os/process.ts'

const STOP_LIMIT_MS = 5000

/** Ends the process group that a command leads: first by SIGTERM, then by SIGKILL. */
export async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return
  const ended = hasEnded(child) ? undefined : once(child, 'exit')
  killGroup(child.pid, 'SIGTERM')
  if (ended) {
    const limit = delay(STOP_LIMIT_MS, undefined, { ref: false })
    await Promise.race([ended, limit])
  }
  killGroup(child.pid, 'SIGKILL')
  await ended
}

export function killGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal)
  } catch {
    // All of the group has ended, or the command could not be started.
  }
}
