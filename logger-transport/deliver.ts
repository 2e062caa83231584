import { setTimeout as delay } from 'node:timers/promises'
import { createComplaint } from '../lib/complaint.ts'
import type { Metrics } from './metrics.ts'
import type { LogRecord } from './record.ts'
import type { Target } from './targets/contract.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5000

/**
 * Delivers until the target has the lines. Between attempts it pauses, twice as long each time, up to five seconds,
 * of which a random half is left out ("equal jitter", Brooker, Exponential Backoff and Jitter, 2015).
 * @throws the target's last error once `giveUp` is raised
 */
export function createDelivery(target: Target, metrics: Metrics, giveUp: AbortSignal) {
  const complain = createComplaint()
  return async (records: readonly LogRecord[]): Promise<void> => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        await target.deliver(records)
        metrics.delivered.inc({ target: target.name }, records.length)
        return
      } catch (error) {
        if (giveUp.aborted) throw error
        metrics.retries.inc({ target: target.name })
        complain(`logger-transport: ${target.name} takes no lines: ${(error as Error).message}`)
        await delay(pauseMs / 2 + (Math.random() * pauseMs) / 2, undefined, { signal: giveUp }).catch(
          () => {},
        )
      }
    }
  }
}
