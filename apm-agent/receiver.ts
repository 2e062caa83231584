import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { readProcessUsage } from '../lib/process-usage.ts'
import { refuse, respond } from '../lib/respond.ts'
import type { Counts } from '../stack/protocol.ts'
import { countMetricPoints, countSpans } from './otlp.ts'

const MAX_BODY_BYTES = 32 * 2 ** 20

export interface Receiver {
  readonly server: Server
  /** What has arrived, whole and decodable. */
  counts(): Counts
}

/** Receives OTLP/HTTP (Protobuf) from the steps whose telemetry is made in process, and counts it. */
export function createReceiver(): Receiver {
  const received = { spans: 0, metricPoints: 0 }
  const accept: Record<string, (bytes: Buffer) => void> = {
    '/v1/traces': bytes => {
      received.spans += countSpans(bytes)
    },
    '/v1/metrics': bytes => {
      received.metricPoints += countMetricPoints(bytes)
    },
  }
  return {
    server: createServer((request, response) => void receive(accept, request, response)),
    counts: () => ({
      spans: { delivered: received.spans },
      metricPoints: { delivered: received.metricPoints },
    }),
  }
}

async function receive(
  accept: Record<string, (bytes: Buffer) => void>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.url === '/healthz') return respond(response, 200, 'application/json', '{"status":"ok"}')
  if (request.url === '/usage') {
    return respond(response, 200, 'application/json', JSON.stringify(readProcessUsage()))
  }
  const take = accept[request.url as string]
  if (!take)
    return refuse(
      response,
      404,
      'NOT_FOUND',
      'there is POST /v1/traces, POST /v1/metrics, GET /healthz, GET /usage',
    )
  if (request.method !== 'POST') return refuse(response, 405, 'METHOD_NOT_ALLOWED', 'only POST is allowed')
  if (request.headers['content-type'] !== 'application/x-protobuf') {
    return refuse(response, 415, 'UNSUPPORTED_MEDIA_TYPE', 'only application/x-protobuf is understood')
  }
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) {
    response.setHeader('connection', 'close')
    return refuse(response, 413, 'BODY_TOO_LARGE', `a body may have ${MAX_BODY_BYTES} bytes`)
  }
  try {
    take(await readBody(request))
  } catch {
    return refuse(response, 400, 'MALFORMED_BODY', 'the body is no OTLP export request')
  }
  // An empty message says that all was accepted.
  respond(response, 200, 'application/x-protobuf', '')
}

/** Rejects when the sender leaves before the end, or sends more than is allowed without having said so. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of request) {
    sizeBytes += chunk.length
    if (sizeBytes > MAX_BODY_BYTES) throw new RangeError('body too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
