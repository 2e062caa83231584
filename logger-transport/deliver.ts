import { setTimeout as delay } from 'node:timers/promises'
import { createComplaint } from '../lib/cli/terminal.ts'
import { createDeadLetters } from './dead-letters.ts'
import type { TargetCounts } from './metrics.ts'
import { STALLED_MS } from './options.ts'
import type { LogRecord } from './record.ts'
import { type Refusal, type Target, TargetGone } from './targets/contract.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5000

export interface Delivery {
  /**
   * Delivers the lines, again and again until the target has them. The pause between attempts doubles each time, up to
   * five seconds; a random part of it, up to half, is left out ("equal jitter", Brooker, Exponential Backoff and
   * Jitter, 2015).
   * @returns the number of lines that the target refused for good, which are kept in its dead-letter file; undefined if
   * the target was given up before it had the lines
   */
  deliver(records: readonly LogRecord[]): Promise<number | undefined>
  /** Whether the target was given up, because it is gone, or took nothing for too long after `finish` was raised. */
  isGivenUp(): boolean
}

/**
 * Creates the delivery of lines to one target.
 * @param options `finish` is raised when this process is asked to stop. From then on a target that takes nothing for `STALLED_MS`
 * milliseconds is given up, even in the middle of an attempt, because an exporter may continue an attempt without
 * limit.
 */
export function createDelivery(
  target: Target,
  counts: TargetCounts,
  options: { readonly finish: AbortSignal; readonly logDirectory: string },
): Delivery {
  const { finish } = options
  const complain = createComplaint()
  const keepRefused = createDeadLetters(options.logDirectory, target.name)
  const giveUp = new AbortController()

  async function deliverOnce(records: readonly LogRecord[]): Promise<readonly Refusal[] | undefined> {
    try {
      return await unless(giveUp.signal, target.deliver(records))
    } catch (error) {
      if (giveUp.signal.aborted) return undefined
      const why = (error as Error).message
      if (error instanceof TargetGone) {
        process.stderr.write(`logger-transport: ${target.name} is given up, because it is gone: ${why}\n`)
        process.exitCode = 1
        giveUp.abort()
      } else complain(`logger-transport: ${target.name} takes no lines: ${why}`)
      return undefined
    }
  }

  async function deliverAgain(records: readonly LogRecord[]): Promise<readonly Refusal[] | undefined> {
    let pauseMs = FIRST_PAUSE_MS
    while (!giveUp.signal.aborted) {
      const refusals = await deliverOnce(records)
      if (refusals) return refusals
      // Little time may be left when this process is asked to stop, so the next attempt begins at once.
      const wake = finish.aborted ? giveUp.signal : finish
      await delay(pauseMs / 2 + (Math.random() * pauseMs) / 2, undefined, { signal: wake }).catch(() => {})
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
    }
    return undefined
  }

  return {
    isGivenUp: () => giveUp.signal.aborted,
    async deliver(records) {
      counts.read += records.length
      counts.malformed += records.filter(({ malformed }) => malformed).length
      if (records.length === 0) return 0
      let limit: NodeJS.Timeout | undefined
      const begin = () => {
        limit = setTimeout(() => giveUp.abort(), STALLED_MS)
      }
      if (finish.aborted) begin()
      else finish.addEventListener('abort', begin)
      try {
        const refusals = await deliverAgain(records)
        if (!refusals) return undefined
        for (const refusal of refusals) await keepRefused(refusal)
        return refusals.reduce((total, { count }) => total + count, 0)
      } finally {
        finish.removeEventListener('abort', begin)
        clearTimeout(limit)
      }
    },
  }
}

/**
 * Settles as `work` does, or rejects as soon as the signal is raised. `work` is not cancelled, but its result is
 * ignored.
 */
function unless<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
