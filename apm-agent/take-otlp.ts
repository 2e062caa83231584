import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gunzip as gunzipWithCallback } from 'node:zlib'
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { MetricData } from '@opentelemetry/sdk-metrics'
import { refuse, respond } from '../lib/respond.ts'
import type { AgentCounts } from './counts.ts'
import type { Forwarding, OtlpPath } from './forwarding.ts'
import { countSpans, decodeMetrics } from './otlp.ts'
import { readBody } from './read-body.ts'
import type { Reporter, Reporters } from './reporters.ts'

/** Exporters send some hundred spans at a time; this is ten thousand. Decompressed, as well. */
const MAX_BODY_BYTES = 4 * 2 ** 20

const gunzip = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzipWithCallback)

interface OtlpOptions {
  readonly counts: AgentCounts
  readonly reporters: Reporters
  /** Absent where there is no collector. */
  readonly forwarding?: Forwarding | undefined
}

/** A body that was understood. */
interface Received {
  /** How many spans or points it has. */
  readonly items: number
  /** Counts it, and shows what it says. */
  take(): void
}

/**
 * Takes what exporters send. It is counted and shown before the collector has it: a collector that refuses hides nothing.
 * A sender is refused only when its body is malformed, or when so much waits for the collector that there is no room.
 */
export async function takeOtlp(
  request: IncomingMessage,
  response: ServerResponse,
  path: OtlpPath,
  options: OtlpOptions,
): Promise<void> {
  if (!request.headers['content-type']?.startsWith('application/x-protobuf'))
    return refuse(response, 415, 'UNSUPPORTED_MEDIA_TYPE', 'only application/x-protobuf is understood')
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) {
    response.setHeader('connection', 'close')
    return refuse(response, 413, 'BODY_TOO_LARGE', `a body may have ${MAX_BODY_BYTES} bytes`)
  }
  let body: Buffer
  let received: Received
  try {
    body = await decompress(await readBody(request, MAX_BODY_BYTES), request.headers['content-encoding'])
    received = receivers[path](body, options)
  } catch {
    options.counts.decodeErrors.otlp++
    return refuse(response, 400, 'MALFORMED_BODY', 'the body is no OTLP export request')
  }
  const forward = options.forwarding?.[path]
  if (forward && !forward.hasRoom(body.length)) {
    // It is not counted: the sender's exporter keeps it and tries again.
    response.setHeader('retry-after', '1')
    return refuse(response, 503, 'COLLECTOR_UNAVAILABLE', 'too much waits for the collector already')
  }
  received.take()
  forward?.add(body, received.items)
  // An empty message says that all was accepted.
  respond(response, 200, 'application/x-protobuf', '')
}

/** Rejects when it is no gzip, or more than is allowed. */
const decompress = async (body: Buffer, encoding: string | undefined): Promise<Buffer> =>
  encoding === 'gzip' ? gunzip(body, { maxOutputLength: MAX_BODY_BYTES }) : body

/** Each throws when the bytes are no export request. */
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

/** A process whose metrics come as OTLP: what it said last. */
class OtlpReporter implements Reporter {
  readonly resource: Reporter['resource']
  metrics: readonly MetricData[] = []

  constructor(attributes: Parameters<typeof resourceFromAttributes>[0]) {
    this.resource = resourceFromAttributes(attributes)
  }

  describe = (): MetricData[] => [...this.metrics]
}
