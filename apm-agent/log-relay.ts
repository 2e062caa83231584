import type { IncomingMessage, ServerResponse } from 'node:http'
import { createComplaint } from '../lib/cli/complaint.ts'
import { refuse, respond } from '../lib/http/respond.ts'
import { otlpHeaders } from '../lib/telemetry/otel-environment.ts'
import type { AgentCounts, ExportCounts } from './counts.ts'
import { countLogRecords } from './otlp.ts'
import { type Destination, type Outcome, sendBody } from './send-body.ts'
import { refuseMalformed, takeBody } from './take-otlp.ts'

/** The limit on the memory of bodies that the collector has not answered. Beyond it a body is refused. */
const MAX_WAITING_BYTES = 16 * 2 ** 20
const MIN_RETRY_AFTER_SECONDS = 1

export const LOGS_PATH = '/v1/logs'

/**
 * Passes OTLP logs on to a collector, and its answer back. A sender of logs keeps its lines until the collector has them,
 * so nothing waits here and a death of this process loses no line. This differs from spans and metrics of in-process
 * steps, whose senders have little memory and must not wait.
 */
export class LogRelay {
  /** The numbers of log records that the collector took and refused. */
  readonly counts: ExportCounts = { exported: 0, dropped: 0 }
  readonly #destination: Destination
  readonly #closing = new AbortController()
  readonly #complain = createComplaint()
  #waitingBytes = 0

  /** @param url the URL to which the collector takes logs */
  constructor(url: string) {
    this.#destination = { url, headers: otlpHeaders('logs') }
  }

  /** @returns the collector's answer; undefined if there is no room for the body now */
  async pass(body: Buffer, records: number): Promise<Outcome | undefined> {
    if (this.#waitingBytes > 0 && this.#waitingBytes + body.length > MAX_WAITING_BYTES) return undefined
    this.#waitingBytes += body.length
    const outcome = await sendBody(this.#destination, new Uint8Array(body), this.#closing.signal)
    this.#waitingBytes -= body.length
    if (outcome.kind === 'taken') this.counts.exported += records
    if (outcome.kind === 'refused') this.counts.dropped += records
    if (outcome.kind !== 'taken')
      this.#complain(`apm-agent: ${this.#destination.url} ${outcome.why}; the sender of the logs is told`)
    return outcome
  }

  /** Stops waiting for the collector. The senders are told to send again later. */
  close(): void {
    this.#closing.abort()
  }
}

/**
 * Answers a request that brings OTLP logs. Without a collector the answer is 404: to send the lines again would not help,
 * so the sender must not keep others waiting for them.
 */
export async function takeLogs(
  request: IncomingMessage,
  response: ServerResponse,
  relay: LogRelay | undefined,
  counts: AgentCounts,
): Promise<void> {
  if (!relay)
    return refuse(
      response,
      404,
      'NO_COLLECTOR',
      'apm-agent takes logs only if --collector-url names a collector',
    )
  const body = await takeBody(request, response, counts)
  if (!body) return
  let records: number
  try {
    records = countLogRecords(body)
  } catch {
    return refuseMalformed(response, counts)
  }
  answer(response, await relay.pass(body, records))
}

function answer(response: ServerResponse, outcome: Outcome | undefined): void {
  if (outcome?.kind === 'taken') return respond(response, 200, 'application/x-protobuf', outcome.answer)
  if (outcome?.kind === 'refused')
    // A redirection is of no use to the sender, because it cannot reach the collector.
    return refuse(
      response,
      Math.max(outcome.status, 400),
      'COLLECTOR_REFUSED',
      `the collector ${outcome.why}`,
    )
  const seconds = Math.ceil((outcome?.retryAfterMs ?? 0) / 1000)
  response.setHeader('retry-after', String(Math.max(seconds, MIN_RETRY_AFTER_SECONDS)))
  const why = outcome ? `the collector ${outcome.why}` : 'too much waits for the collector already'
  refuse(response, 503, 'COLLECTOR_UNAVAILABLE', why)
}
