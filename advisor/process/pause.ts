import { pauseUntilAborted } from '../../loadtest/generator/load.ts'

/** Waits. @throws the reason of the signal once it is aborted */
export async function pause(durationMs: number, abort: AbortSignal): Promise<void> {
  await pauseUntilAborted(durationMs, abort)
  abort.throwIfAborted()
}
