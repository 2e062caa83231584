import type { Pulse } from './pulse.ts'
import type { Update } from './update.ts'

/** What has arrived. */
export interface Delivered {
  /** From this app, since apm-agent started. */
  readonly spans: number
  readonly metricPoints: number
  /** By logger-transport, of whatever app, since it started; null while that is not known. */
  readonly transportedLines: number | null
}

/** What one app emitted and what of it arrived. */
export class Ledger {
  readonly #before: Pulse['emitted']
  readonly #droppedBefore: number
  #transportedBefore: number | undefined
  #transported = 0

  /** @param isWhole whether apm-agent was there before the app: if not, what was emitted until now is not its business */
  constructor({ emitted, droppedLines }: Pulse, isWhole: boolean) {
    this.#before = isWhole ? { logLines: 0, spans: 0, metricPoints: 0 } : emitted
    this.#droppedBefore = isWhole ? 0 : droppedLines
  }

  figures({ emitted, droppedLines, app }: Pulse, delivered: Delivered): Update['ledger'] {
    const logLines = emitted.logLines - this.#before.logLines
    // What writes lines itself has delivered those that it has not given up.
    const arrived =
      app.composition.logging === 'sidecar'
        ? this.#countTransported(delivered.transportedLines)
        : logLines - (droppedLines - this.#droppedBefore)
    return {
      logLines: { emitted: logLines, delivered: arrived },
      spans: { emitted: emitted.spans - this.#before.spans, delivered: delivered.spans },
      metricPoints: {
        emitted: emitted.metricPoints - this.#before.metricPoints,
        delivered: delivered.metricPoints,
      },
    }
  }

  /** Since it was first asked; one that starts again counts from zero. */
  #countTransported(count: number | null): number | null {
    if (count === null) return null
    this.#transportedBefore ??= count
    if (count < this.#transported) this.#transportedBefore -= this.#transported
    this.#transported = count
    return count - this.#transportedBefore
  }
}
