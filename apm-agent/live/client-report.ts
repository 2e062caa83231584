import { type Checked, object } from './check.ts'
import { isLatencies, type Latencies, type Percentiles, percentilesOf } from './latency-buckets.ts'

const isReport = object({ latencies: isLatencies })

/**
 * What a load generator tells twice a second of its clients: how many good answers took how long since it last did.
 *
 *     load generator ── POST /live/load ──▶ apm-agent ── server-sent events ──▶ pages
 */
export type ClientReport = Checked<typeof isReport>

export const REPORT_INTERVAL_MS = 500

/** A generator that says nothing for so long has ended. */
const SILENT_AFTER_MS = 3000
/** As long as the time that an update is of. */
const SHOWN_MS = 2000
/** Some generators' in that time. */
const MAX_REPORTS = 64

/** @throws TypeError when the text is no report */
export function readClientReport(text: string): ClientReport {
  const given: unknown = JSON.parse(text)
  if (!isReport(given)) throw new TypeError('no report')
  return given
}

/** What the clients of all generators waited in the last two seconds. */
export class ClientLatencies {
  #heard: { readonly atMs: number; readonly latencies: Latencies }[] = []

  /** @param atMs by the monotonic clock */
  take({ latencies }: ClientReport, atMs: number = performance.now()): void {
    this.#heard.push({ atMs, latencies })
    this.#heard = this.#heard.filter(each => each.atMs > atMs - SHOWN_MS).slice(-MAX_REPORTS)
  }

  /** Undefined while no generator reports. */
  figures(nowMs: number = performance.now()): Percentiles | null | undefined {
    const lastMs = this.#heard.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY
    if (nowMs - lastMs > SILENT_AFTER_MS) return undefined
    return percentilesOf(this.#heard.flatMap(({ latencies }) => latencies))
  }
}
