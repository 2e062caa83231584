import { type Checked, object, orAbsent, text } from '../../lib/check.ts'
import type { Percentiles } from '../../screen/live-messages.ts'
import { isLatencies, type Latencies, percentilesOf } from './latency-buckets.ts'

const MAX_NOTE = 200

const isReport = object({ latencies: isLatencies, note: orAbsent(text(MAX_NOTE)) })

/**
 * The report that a load generator sends twice a second: the latencies of the good answers since its last report,
 * and a note on what it asks for, which then is the note of the page.
 *
 *     load generator ── POST /live/load ──▶ apm-agent ── server-sent events ──▶ pages
 */
export type ClientReport = Omit<Checked<typeof isReport>, 'note'> & { readonly note?: string | undefined }

export const REPORT_INTERVAL_MS = 500

/** A generator that has sent no report for this time has ended. */
const SILENT_AFTER_MS = 3000
/** Reports are shown for this time, which is the time that an update covers. */
const SHOWN_MS = 2000
/** The reports of several generators in that time. */
const MAX_REPORTS = 64

/** @throws TypeError when the text is not a report */
export function readClientReport(text: string): ClientReport {
  const given: unknown = JSON.parse(text)
  if (!isReport(given)) throw new TypeError('no report')
  return given
}

/** The latencies that the clients of all generators saw in the last two seconds. */
export class ClientLatencies {
  #heard: { readonly atMs: number; readonly latencies: Latencies }[] = []

  /** @param atMs the time by the monotonic clock */
  take({ latencies }: ClientReport, atMs: number = performance.now()): void {
    this.#heard.push({ atMs, latencies })
    this.#heard = this.#heard.filter(each => each.atMs > atMs - SHOWN_MS).slice(-MAX_REPORTS)
  }

  /** The percentiles; undefined while no generator sends reports. */
  figures(nowMs: number = performance.now()): Percentiles | null | undefined {
    const lastMs = this.#heard.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY
    if (nowMs - lastMs > SILENT_AFTER_MS) return undefined
    return percentilesOf(this.#heard.flatMap(({ latencies }) => latencies))
  }
}
