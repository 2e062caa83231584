import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gunzip as gunzipWithCallback } from 'node:zlib'
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { MetricData } from '@opentelemetry/sdk-metrics'
import type { Registry } from 'prom-client'
import { guard } from '../lib/guard.ts'
import { readProcessUsage } from '../lib/process-usage.ts'
import { splitUrl } from '../lib/query.ts'
import { refuse, respond } from '../lib/respond.ts'
import type { AgentCounts } from './counts.ts'
import type { Live } from './live/live.ts'
import { type PageFile, sendFile } from './live/page-files.ts'
import { takeReport } from './live/take-report.ts'
import { countSpans, decodeMetrics } from './otlp.ts'
import { exposeMetrics } from './prometheus.ts'
import { readBody } from './read-body.ts'
import type { Reporter, Reporters } from './reporters.ts'

/** Exporters send some hundred spans at a time; this is ten thousand. Decompressed, as well. */
const MAX_BODY_BYTES = 4 * 2 ** 20
const FORWARD_LIMIT_MS = 8000

const EVENTS = '/live/events'
const REPORTS = '/live/load'

const gunzip = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzipWithCallback)

interface HttpServerOptions {
  readonly counts: AgentCounts
  readonly reporters: Reporters
  /** The agent's own counts. */
  readonly registry: Registry
  /** Where OTLP is passed on to. */
  readonly collectorUrl: string | undefined
  readonly live: Live
  /** Host names under which it may be asked, besides `localhost`. */
  readonly allowedHosts?: readonly string[]
  /** The files of the live page by their paths. */
  readonly page: ReadonlyMap<string, PageFile>
}

/**
 * The agent over HTTP.
 *
 *   POST /v1/traces, /v1/metrics   OTLP (Protobuf) of the steps whose telemetry is made in process
 *   GET /metrics                   of all reporters and of the agent itself, for Prometheus
 *   GET /                          the live page, its files in /assets
 *   GET /live/events?after=0       updates as server-sent events: those after a time, then each as it comes
 *   POST /live/load                what a load generator says of its clients, for the live page
 *   GET /healthz, /usage
 */
export function createAgentServer(options: HttpServerOptions): Server {
  const { counts, reporters, registry, live, page, allowedHosts = [] } = options
  const json = (value: unknown) => ['application/json', JSON.stringify(value)] as const
  const answers: Record<string, () => Promise<readonly [type: string, body: string]>> = {
    '/metrics': async () => [
      registry.contentType,
      exposeMetrics(reporters.collect()) + (await registry.metrics()),
    ],
    '/healthz': async () => json({ status: 'ok' }),
    '/usage': async () => json(readProcessUsage()),
  }
  const receivers: Record<string, (bytes: Buffer) => () => void> = {
    '/v1/traces': bytes => {
      const received = countSpans(bytes)
      return () => {
        for (const { resource, spans } of received) counts.add('spans', 'otlp', resource, spans)
      }
    },
    '/v1/metrics': bytes => {
      const received = decodeMetrics(bytes)
      return () => {
        const latest = new Map<OtlpReporter, MetricData[]>()
        for (const { resource, points, metrics } of received) {
          counts.add('metricPoints', 'otlp', resource, points)
          const reporter = reporters.find(resource, () => new OtlpReporter(resource))
          if (reporter instanceof OtlpReporter)
            latest.set(reporter, [...(latest.get(reporter) ?? []), ...metrics])
        }
        for (const [reporter, metrics] of latest) reporter.metrics = metrics
      }
    },
  }
  const answerRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const [path, query] = splitUrl(request.url as string)
    const receive = receivers[path]
    const answer = answers[path]
    if (receive || path === REPORTS) {
      if (request.method !== 'POST') return refuseMethod(response, ['POST'])
      if (!receive) return takeReport(request, response, live)
      return takeOtlp(request, response, path, receive, options)
    }
    const file = page.get(path)
    if (!answer && !file && path !== EVENTS) {
      const known = [...Object.keys(receivers), ...Object.keys(answers), EVENTS, REPORTS, '/'].join(', ')
      return refuse(response, 404, 'NOT_FOUND', `there is only ${known}`)
    }
    const methods = path === EVENTS ? ['GET'] : ['GET', 'HEAD']
    if (!methods.includes(request.method as string)) return refuseMethod(response, methods)
    if (answer) return respond(response, 200, ...(await answer()))
    if (file) return sendFile(response, file)
    live.watch(response, Number(new URLSearchParams(query).get('after')) || 0)
  }
  return createServer(guard(allowedHosts, answerRequest))
}

function refuseMethod(response: ServerResponse, allowed: readonly string[]): void {
  response.setHeader('allow', allowed.join(', '))
  refuse(response, 405, 'METHOD_NOT_ALLOWED', `only ${allowed.join(' and ')} is allowed`)
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

/** What was understood, and taken by the collector where there is one, is counted. */
async function takeOtlp(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  receive: (bytes: Buffer) => () => void,
  { counts, collectorUrl }: HttpServerOptions,
): Promise<void> {
  if (!request.headers['content-type']?.startsWith('application/x-protobuf'))
    return refuse(response, 415, 'UNSUPPORTED_MEDIA_TYPE', 'only application/x-protobuf is understood')
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) {
    response.setHeader('connection', 'close')
    return refuse(response, 413, 'BODY_TOO_LARGE', `a body may have ${MAX_BODY_BYTES} bytes`)
  }
  let body: Buffer
  let count: () => void
  try {
    body = await decompress(await readBody(request, MAX_BODY_BYTES), request.headers['content-encoding'])
    count = receive(body)
  } catch {
    counts.decodeErrors.otlp++
    return refuse(response, 400, 'MALFORMED_BODY', 'the body is no OTLP export request')
  }
  if (collectorUrl && !(await forward(collectorUrl + path, body))) {
    // The sender's exporter keeps it and tries again.
    response.setHeader('retry-after', '1')
    return refuse(response, 503, 'COLLECTOR_UNAVAILABLE', 'the collector did not take it')
  }
  count()
  // An empty message says that all was accepted.
  respond(response, 200, 'application/x-protobuf', '')
}

/** Rejects when it is no gzip, or more than is allowed. */
const decompress = async (body: Buffer, encoding: string | undefined): Promise<Buffer> =>
  encoding === 'gzip' ? gunzip(body, { maxOutputLength: MAX_BODY_BYTES }) : body

/** Hands OTLP on as it came. */
async function forward(url: string, body: Buffer): Promise<boolean> {
  try {
    const headers = { 'content-type': 'application/x-protobuf' }
    const signal = AbortSignal.timeout(FORWARD_LIMIT_MS)
    const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body), signal })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}
