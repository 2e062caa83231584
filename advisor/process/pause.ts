import { setTimeout as delay } from 'node:timers/promises'

/** Waits. @throws the reason of the signal once it is aborted */
export async function pause(durationMs: number, abort: AbortSignal): Promise<void> {
  try {
    await delay(durationMs, undefined, { signal: abort })
  } catch {
    throw abort.reason
  }
}
