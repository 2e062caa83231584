import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gunzip as gunzipWithCallback } from 'node:zlib'
import type { Attributes } from '@opentelemetry/api'
import { createComplaint } from '../lib/cli/terminal.ts'
import { refuse, respond } from '../lib/http/respond.ts'
import type { Signal } from '../lib/telemetry/otel-environment.ts'
import type { AgentCounts } from './counts.ts'
import { countLogRecords, countSpans } from './otlp.ts'
import { decodeMetrics } from './otlp-metrics.ts'
import { OtlpReporter } from './otlp-reporter.ts'
import { type BodyMemory, NoMemoryLeft, readBody } from './read-body.ts'
import type { Outcome, Relays } from './relay.ts'
import type { Reporters } from './reporters.ts'

/**
 * Exporters send several hundred spans at a time, and this limit is enough for ten thousand. It also holds for bodies
 * after decompression.
 */
const MAX_BODY_BYTES = 4 * 2 ** 20

const memory: BodyMemory = { leftBytes: 16 * MAX_BODY_BYTES }

const TYPE = 'application/x-protobuf'
const EXPECTED = `only ${TYPE} is understood; set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf, or use the exporter for Node.js whose name ends in -proto`

const complain = createComplaint()

const gunzip = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzipWithCallback)

const signals: Readonly<Record<string, Signal>> = {
  '/v1/traces': 'traces',
  '/v1/metrics': 'metrics',
  '/v1/logs': 'logs',
}
export const otlpPaths = Object.keys(signals)

interface OtlpOptions {
  readonly counts: AgentCounts
  readonly reporters: Reporters
  /** Where bodies go on to; undefined if there is no collector. */
  readonly relays?: Relays | undefined
}

/** The content of a body: the number of its items by the process from which they come. */
type Received = readonly { readonly resource: Attributes; readonly items: number }[]

/**
 * Receives OTLP from exporters. What the collector takes is counted, or everything if there is none; metrics are shown whatever the
 * collector says.
 */
export async function takeOtlp(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  options: OtlpOptions,
): Promise<void> {
  const { counts, relays } = options
  const signal = signals[path] as Signal
  const relay = relays?.[signal]
  // To send the lines again would not help, so the sender must not keep others waiting for them.
  if (signal === 'logs' && !relay)
    return refuse(
      response,
      404,
      'NO_COLLECTOR',
      'apm-agent takes logs only if --collector-url names a collector',
    )
  const body = await takeBody(request, response, counts)
  if (!body) return
  let received: Received
  try {
    received = readers[signal](body, options)
  } catch {
    return refuseMalformed(response, counts)
  }
  const items = received.reduce((total, each) => total + each.items, 0)
  const outcome = relay ? await relay.pass(body, items) : NOBODY_ELSE
  if (outcome.status === 200 && signal !== 'logs')
    for (const { resource, items } of received)
      counts.add(signal === 'traces' ? 'spans' : 'metricPoints', 'otlp', resource, items)
  answer(response, outcome)
}

const NOBODY_ELSE: Outcome = { status: 200, answer: Buffer.alloc(0) }

/** The readers of bodies. Each throws when the bytes are not an export request. */
const readers: Readonly<Record<Signal, (bytes: Buffer, options: OtlpOptions) => Received>> = {
  traces: countSpans,
  logs: bytes => [{ resource: {}, items: countLogRecords(bytes) }],
  metrics(bytes, { reporters }) {
    const received = decodeMetrics(bytes)
    for (const metrics of received) {
      const { resource } = metrics
      reporters.find('otlp', resource, () => new OtlpReporter(resource, reporters.clock))?.take(metrics)
    }
    return received
  },
}

function answer(response: ServerResponse, outcome: Outcome): void {
  if ('answer' in outcome) return respond(response, 200, TYPE, outcome.answer)
  const { status, why, retryAfter } = outcome
  if (status === 503) return refuseForNow(response, `the collector ${why}`, retryAfter)
  refuse(response, status, 'COLLECTOR_REFUSED', `the collector ${why}`)
}

/** Reads the body of an export request. @returns undefined if the request was refused */
async function takeBody(
  request: IncomingMessage,
  response: ServerResponse,
  counts: AgentCounts,
): Promise<Buffer | undefined> {
  const type = request.headers['content-type']
  if (type?.split(';')[0]?.trim().toLowerCase() !== TYPE) {
    complain(`apm-agent: refused an export as ${type ?? 'no known type'}: ${EXPECTED}`)
    refuse(response, 415, 'UNSUPPORTED_MEDIA_TYPE', EXPECTED)
    return undefined
  }
  const coding = request.headers['content-encoding']?.trim().toLowerCase() || 'identity'
  if (!['identity', 'gzip', 'x-gzip'].includes(coding)) {
    response.setHeader('accept-encoding', 'gzip')
    refuse(response, 415, 'UNSUPPORTED_MEDIA_TYPE', 'a body may be compressed by gzip only')
    return undefined
  }
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) {
    response.setHeader('connection', 'close')
    refuse(response, 413, 'BODY_TOO_LARGE', `a body may have ${MAX_BODY_BYTES} bytes`)
    return undefined
  }
  try {
    const body = await readBody(request, MAX_BODY_BYTES, memory)
    return coding === 'identity' ? body : await gunzip(body, { maxOutputLength: MAX_BODY_BYTES })
  } catch (error) {
    if (error instanceof NoMemoryLeft) refuseForNow(response, 'too many bodies are being received')
    else refuseMalformed(response, counts)
    return undefined
  }
}

function refuseForNow(response: ServerResponse, why: string, retryAfter?: string | null): void {
  response.setHeader('retry-after', retryAfter || '1')
  refuse(response, 503, 'COLLECTOR_UNAVAILABLE', why)
}

function refuseMalformed(response: ServerResponse, counts: AgentCounts): void {
  counts.decodeErrors.otlp++
  refuse(response, 400, 'MALFORMED_BODY', 'the body is no OTLP export request, or has too many fields')
}
