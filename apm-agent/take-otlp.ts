import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gunzip as gunzipWithCallback } from 'node:zlib'
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { MetricData } from '@opentelemetry/sdk-metrics'
import { createComplaint } from '../lib/cli/complaint.ts'
import { refuse, respond } from '../lib/http/respond.ts'
import type { AgentCounts } from './counts.ts'
import { countSpans, decodeMetrics } from './otlp.ts'
import { type BodyMemory, NoMemoryLeft, readBody } from './read-body.ts'
import type { Reporter, Reporters } from './reporters.ts'

/**
 * Exporters send several hundred spans at a time, and this limit is enough for ten thousand. It also holds for bodies
 * after decompression.
 */
const MAX_BODY_BYTES = 4 * 2 ** 20

const memory: BodyMemory = { leftBytes: 16 * MAX_BODY_BYTES }

const EXPECTED =
  'only application/x-protobuf is understood; set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf, or use the exporter for Node.js whose name ends in -proto'

const complain = createComplaint()

const gunzip = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzipWithCallback)

export const otlpPaths = ['/v1/traces', '/v1/metrics'] as const
export type OtlpPath = (typeof otlpPaths)[number]

/** Takes bodies that go on to a collector. */
export interface BodyQueue {
  /** Whether a body of this size is taken. */
  hasRoom(bytes: number): boolean
  /** @param items the spans or points in the body */
  add(body: Buffer, items: number): void
}

interface OtlpOptions {
  readonly counts: AgentCounts
  readonly reporters: Reporters
  /** The queues to the collector; undefined if there is no collector. */
  readonly forwarding?: Readonly<Partial<Record<OtlpPath, BodyQueue>>> | undefined
}

/** The content of a decoded body. */
interface Received {
  /** Number of spans or points in the body. */
  readonly items: number
  /** Counts the items and shows the metrics. */
  take(): void
}

/**
 * Receives OTLP from exporters. The items are counted and shown before the collector has them, so a collector that
 * refuses hides nothing. A sender is refused only if its body is malformed or the queue to the collector is full.
 */
export async function takeOtlp(
  request: IncomingMessage,
  response: ServerResponse,
  path: OtlpPath,
  options: OtlpOptions,
): Promise<void> {
  const body = await takeBody(request, response, options.counts)
  if (!body) return
  let received: Received
  try {
    received = receivers[path](body, options)
  } catch {
    return refuseMalformed(response, options.counts)
  }
  const forward = options.forwarding?.[path]
  if (forward && !forward.hasRoom(body.length)) {
    // The body is not counted, because the exporter of the sender keeps it and sends it again.
    return refuseForNow(response, 'too much waits for the collector already')
  }
  received.take()
  forward?.add(body, received.items)
  // An empty message means that all items were accepted.
  respond(response, 200, 'application/x-protobuf', '')
}

/** Reads the body of an export request. @returns undefined if the request was refused */
export async function takeBody(
  request: IncomingMessage,
  response: ServerResponse,
  counts: AgentCounts,
): Promise<Buffer | undefined> {
  const type = request.headers['content-type']
  if (!type?.startsWith('application/x-protobuf')) {
    complain(`apm-agent: refused an export as ${type ?? 'no known type'}: ${EXPECTED}`)
    refuse(response, 415, 'UNSUPPORTED_MEDIA_TYPE', EXPECTED)
    return undefined
  }
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) {
    response.setHeader('connection', 'close')
    refuse(response, 413, 'BODY_TOO_LARGE', `a body may have ${MAX_BODY_BYTES} bytes`)
    return undefined
  }
  try {
    const body = await readBody(request, MAX_BODY_BYTES, memory)
    return await decompress(body, request.headers['content-encoding'])
  } catch (error) {
    if (error instanceof NoMemoryLeft) refuseForNow(response, 'too many bodies are being received')
    else refuseMalformed(response, counts)
    return undefined
  }
}

function refuseForNow(response: ServerResponse, why: string): void {
  response.setHeader('retry-after', '1')
  refuse(response, 503, 'COLLECTOR_UNAVAILABLE', why)
}

export function refuseMalformed(response: ServerResponse, counts: AgentCounts): void {
  counts.decodeErrors.otlp++
  refuse(response, 400, 'MALFORMED_BODY', 'the body is no OTLP export request, or has too many fields')
}

/** Decompresses a body with the encoding gzip. Rejects if the body is not valid gzip, or is too large afterwards. */
const decompress = async (body: Buffer, encoding: string | undefined): Promise<Buffer> =>
  encoding === 'gzip' ? gunzip(body, { maxOutputLength: MAX_BODY_BYTES }) : body

/** The decoders by path. Each throws when the bytes are not an export request. */
const receivers: Readonly<Record<OtlpPath, (bytes: Buffer, options: OtlpOptions) => Received>> = {
  '/v1/traces': (bytes, { counts }) => {
    const received = countSpans(bytes)
    return {
      items: received.reduce((total, { spans }) => total + spans, 0),
      take() {
        for (const { resource, spans } of received) counts.add('spans', 'otlp', resource, spans)
      },
    }
  },
  '/v1/metrics': (bytes, { counts, reporters }) => {
    const received = decodeMetrics(bytes)
    return {
      items: received.reduce((total, { points }) => total + points, 0),
      take() {
        const latest = new Map<OtlpReporter, MetricData[]>()
        for (const { resource, points, metrics } of received) {
          counts.add('metricPoints', 'otlp', resource, points)
          const reporter = reporters.find(resource, () => new OtlpReporter(resource))
          if (reporter instanceof OtlpReporter)
            latest.set(reporter, [...(latest.get(reporter) ?? []), ...metrics])
        }
        for (const [reporter, metrics] of latest) reporter.metrics = metrics
      },
    }
  },
}

/** The reporter of a process whose metrics come as OTLP. It keeps the last metrics. */
class OtlpReporter implements Reporter {
  readonly resource: Reporter['resource']
  metrics: readonly MetricData[] = []

  constructor(attributes: Parameters<typeof resourceFromAttributes>[0]) {
    this.resource = resourceFromAttributes(attributes)
  }

  describe = (): MetricData[] => [...this.metrics]
}
