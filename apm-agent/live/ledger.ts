import type { Pulse } from './pulse.ts'
import type { Update } from './update.ts'

/** Lines whose delivery another process counts. */
const BESIDE: string = 'sidecar'

/** What has arrived. */
export interface Delivered {
  /** From this app, since apm-agent started. */
  readonly spans: number
  readonly metricPoints: number
  /** By logger-transport, of whatever app, since it started; null while that is not known. */
  readonly transportedLines: number | null
}

/** What one app emitted and what of it arrived, both counted from the same moment. */
export class Ledger {
  readonly #before: Pulse['emitted']
  readonly #droppedBefore: number
  readonly #deliveredBefore: Pick<Delivered, 'spans' | 'metricPoints'>
  #transportedBefore: number | undefined
  #transported = 0

  /**
   * @param isWhole whether apm-agent was there before the app: if not, what was emitted until now is not its business
   * @param delivered as far as is known; of a whole app's lines, before it emitted any
   */
  constructor({ emitted, droppedLines }: Pulse, isWhole: boolean, delivered: Delivered) {
    this.#before = isWhole ? { logLines: 0, spans: 0, metricPoints: 0 } : emitted
    this.#droppedBefore = isWhole ? 0 : droppedLines
    this.#deliveredBefore = isWhole ? { spans: 0, metricPoints: 0 } : delivered
    // Otherwise what was known is older than this pulse: the count that is being asked for is the first.
    if (isWhole) this.#countTransported(delivered.transportedLines)
  }

  figures({ emitted, droppedLines, app }: Pulse, delivered: Delivered): Update['ledger'] {
    const logLines = emitted.logLines - this.#before.logLines
    // What writes lines itself has delivered those that it has not given up.
    const arrived =
      app.composition.logging === BESIDE
        ? this.#countTransported(delivered.transportedLines)
        : logLines - (droppedLines - this.#droppedBefore)
    const since = (name: 'spans' | 'metricPoints') => ({
      emitted: emitted[name] - this.#before[name],
      delivered: delivered[name] - this.#deliveredBefore[name],
    })
    return {
      logLines: { emitted: logLines, delivered: arrived },
      spans: since('spans'),
      metricPoints: since('metricPoints'),
    }
  }

  /** Since it was first known; one that starts again counts from zero. */
  #countTransported(count: number | null): number | null {
    if (count === null) return null
    this.#transportedBefore ??= count
    if (count < this.#transported) this.#transportedBefore -= this.#transported
    this.#transported = count
    return count - this.#transportedBefore
  }
}
