import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Checked, object, orAbsent, text } from '../../lib/check.ts'
import { refuse } from '../../lib/http/respond.ts'
import type { Percentiles } from '../../screen/live-messages.ts'
import { readBody } from '../read-body.ts'
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

/** The latencies that the clients of all generators saw in the last two seconds. */
export class ClientLatencies {
  #heard: { readonly atMs: number; readonly latencies: Latencies }[] = []

  take({ latencies }: ClientReport): void {
    const atMs = performance.now()
    this.#heard.push({ atMs, latencies })
    this.#heard = this.#heard.filter(each => each.atMs > atMs - SHOWN_MS).slice(-MAX_REPORTS)
  }

  /** The percentiles; undefined while no generator sends reports. */
  figures(): Percentiles | null | undefined {
    const lastMs = this.#heard.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY
    if (performance.now() - lastMs > SILENT_AFTER_MS) return undefined
    return percentilesOf(this.#heard.flatMap(({ latencies }) => latencies))
  }
}

/** A report has at most one pair per bucket. */
const MAX_BODY_BYTES = 32 * 2 ** 10

/**
 * Receives the report of a load generator. Only JSON is accepted, because a browser does not send it for a page of
 * another site without a preflight request.
 */
export async function takeReport(
  request: IncomingMessage,
  response: ServerResponse,
  live: { takeReport(report: ClientReport): void },
): Promise<void> {
  if (!request.headers['content-type']?.startsWith('application/json'))
    return refuse(response, 415, 'UNSUPPORTED_MEDIA_TYPE', 'only application/json is understood')
  try {
    const report: unknown = JSON.parse(String(await readBody(request, MAX_BODY_BYTES)))
    if (!isReport(report)) throw new TypeError('no report')
    live.takeReport(report)
  } catch {
    response.setHeader('connection', 'close')
    return refuse(response, 400, 'MALFORMED_BODY', 'the body is no report of a load generator')
  }
  response.writeHead(204).end()
}
