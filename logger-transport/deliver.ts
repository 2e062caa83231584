import { setTimeout as delay } from 'node:timers/promises'
import type { Metrics } from './metrics.ts'
import type { LogRecord } from './record.ts'
import type { Target } from './targets/contract.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5000
const COMPLAINT_INTERVAL_MS = 60_000

/**
 * Delivers until the target has the lines. Between attempts it pauses, twice as long each time, up to five seconds,
 * of which a random half is left out ("equal jitter", Brooker, Exponential Backoff and Jitter, 2015).
 * @throws the target's last error once `giveUp` is raised
 */
export function createDelivery(target: Target, metrics: Metrics, giveUp: AbortSignal) {
  let complainedAt = Number.NEGATIVE_INFINITY
  return async (records: readonly LogRecord[]): Promise<void> => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      try {
        await target.deliver(records)
        metrics.delivered.inc({ target: target.name }, records.length)
        return
      } catch (error) {
        if (giveUp.aborted) throw error
        metrics.retries.inc({ target: target.name })
        if (performance.now() - complainedAt > COMPLAINT_INTERVAL_MS) {
          complainedAt = performance.now()
          process.stderr.write(
            `logger-transport: ${target.name} takes no lines: ${(error as Error).message}\n`,
          )
        }
        await delay(pauseMs / 2 + (Math.random() * pauseMs) / 2, undefined, { signal: giveUp }).catch(
          () => {},
        )
      }
    }
  }
}
