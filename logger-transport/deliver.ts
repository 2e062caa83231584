import { setTimeout as delay } from 'node:timers/promises'
import { createComplaint } from '../lib/complaint.ts'
import type { Metrics } from './metrics.ts'
import { STALLED_MS } from './options.ts'
import type { LogRecord } from './record.ts'
import type { Target } from './targets/contract.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5000

export interface Delivery {
  /**
   * Delivers until the target has the lines. Between attempts it pauses, twice as long each time, up to five seconds,
   * of which a random half is left out ("equal jitter", Brooker, Exponential Backoff and Jitter, 2015).
   * @returns false when the target is given up
   */
  deliver(records: readonly LogRecord[]): Promise<boolean>
  /** Whether the target took nothing for too long at the end. */
  isGivenUp(): boolean
}

/**
 * @param finish raised when this process is to end: from then on a target that takes nothing for `stalledMs` is given
 * up, also in the middle of an attempt, as an exporter may go on with one for as long as it likes
 */
export function createDelivery(
  target: Target,
  metrics: Metrics,
  finish: AbortSignal,
  stalledMs = STALLED_MS,
): Delivery {
  const complain = createComplaint()
  const giveUp = new AbortController()

  async function deliverOnce(records: readonly LogRecord[]): Promise<boolean> {
    try {
      await unless(giveUp.signal, target.deliver(records))
      metrics.delivered.inc({ target: target.name }, records.length)
      return true
    } catch (error) {
      if (giveUp.signal.aborted) return false
      metrics.retries.inc({ target: target.name })
      complain(`logger-transport: ${target.name} takes no lines: ${(error as Error).message}`)
      return false
    }
  }

  async function deliverAgain(records: readonly LogRecord[]): Promise<boolean> {
    let pauseMs = FIRST_PAUSE_MS
    while (!giveUp.signal.aborted) {
      if (await deliverOnce(records)) return true
      // There may be little time left: the end of this process begins with an attempt.
      const wake = finish.aborted ? giveUp.signal : finish
      await delay(pauseMs / 2 + (Math.random() * pauseMs) / 2, undefined, { signal: wake }).catch(() => {})
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
    }
    return false
  }

  return {
    isGivenUp: () => giveUp.signal.aborted,
    async deliver(records) {
      let limit: NodeJS.Timeout | undefined
      const begin = () => {
        limit = setTimeout(() => giveUp.abort(), stalledMs)
      }
      if (finish.aborted) begin()
      else finish.addEventListener('abort', begin)
      try {
        return await deliverAgain(records)
      } finally {
        finish.removeEventListener('abort', begin)
        clearTimeout(limit)
      }
    },
  }
}

/** Settles as `work` does, or rejects as soon as the signal is raised; nobody waits for `work` any more then. */
function unless(signal: AbortSignal, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
