import type { Update } from '../../screen/live-messages.ts'
import type { Pulse } from './pulse-protocol.ts'

/** The numbers of delivered items. */
export interface Delivered {
  /** Items from this app since apm-agent started. */
  readonly spans: number
  readonly metricPoints: number
  /** Lines of all apps that logger-transport has delivered since it started; null while unknown. */
  readonly transportedLines: number | null
}

/** The emitted and delivered items of one app, both counted from the same moment. */
export class Ledger {
  readonly #before: Pulse['emitted']
  readonly #droppedBefore: number
  readonly #deliveredBefore: Pick<Delivered, 'spans' | 'metricPoints'>
  #transportedBefore: number | undefined
  #transported = 0

  /**
   * @param isWhole whether apm-agent started before the app; otherwise items that were emitted before this pulse are
   * not counted
   * @param delivered the last known counts; for a whole app, the lines delivered before it emitted any
   */
  constructor({ emitted, droppedLines }: Pulse, isWhole: boolean, delivered: Delivered) {
    this.#before = isWhole ? { logLines: 0, spans: 0, metricPoints: 0 } : emitted
    this.#droppedBefore = isWhole ? 0 : droppedLines
    this.#deliveredBefore = isWhole ? { spans: 0, metricPoints: 0 } : delivered
    // Otherwise the known count is older than this pulse, and the next count becomes the first.
    if (isWhole) this.#countTransported(delivered.transportedLines)
  }

  figures({ emitted, droppedLines, app }: Pulse, delivered: Delivered): Update['ledger'] {
    const logLines = emitted.logLines - this.#before.logLines
    // logger-transport counts the lines that it delivers. Any other implementation of logging has delivered all lines that
    // it has not dropped.
    const arrived =
      app.composition.logging === 'sidecar'
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

  /**
   * Lines delivered since the first known count. A logger-transport that starts again counts from zero, which is
   * corrected here.
   */
  #countTransported(count: number | null): number | null {
    if (count === null) return null
    this.#transportedBefore ??= count
    if (count < this.#transported) this.#transportedBefore -= this.#transported
    this.#transported = count
    return count - this.#transportedBefore
  }
}
