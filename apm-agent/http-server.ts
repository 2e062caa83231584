import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { guardServer } from '../lib/http/guard.ts'
import { splitUrl } from '../lib/http/query.ts'
import { refuse, respond } from '../lib/http/respond.ts'
import { readProcessUsage } from '../lib/os/usage.ts'
import { PROMETHEUS_TYPE } from '../lib/telemetry/prometheus.ts'
import { type PageFile, sendFile } from '../screen/files.ts'
import { type CollectorUrls, type ExportCounts, noExports } from './collector.ts'
import { AgentCounts, ownFigures } from './counts.ts'
import { takeReport } from './live/client-report.ts'
import type { Live } from './live/live.ts'
import { exposeMetrics } from './prometheus.ts'
import { createRelays, type Relays } from './relay.ts'
import { Reporters } from './reporters.ts'
import { otlpPaths, takeOtlp } from './take-otlp.ts'

const EVENTS = '/events'
const REPORTS = '/live/load'
const MAX_CONNECTIONS = 512
/** A request that does not end is answered with 408. */
const limits = { headersTimeout: 5000, requestTimeout: 15_000, connectionsCheckingInterval: 1000 }

/** What apm-agent receives and counts. */
export interface Agent {
  readonly counts: AgentCounts
  readonly reporters: Reporters
  readonly exports: ExportCounts
  /** Where OTLP goes on to. */
  readonly relays: Relays
}

export function createAgent(urls: CollectorUrls, reporters = new Reporters()): Agent {
  const exports = noExports()
  return { counts: new AgentCounts(), reporters, exports, relays: createRelays(urls, exports) }
}

interface HttpServerOptions extends Agent {
  readonly live: Live
  /** Host names that are accepted besides `localhost`. */
  readonly allowedHosts?: readonly string[]
  /** The files of the live page by their paths. */
  readonly page: ReadonlyMap<string, PageFile>
}

/**
 * The HTTP server of apm-agent.
 *
 *   POST /v1/traces, /v1/metrics   OTLP (Protobuf) of the steps whose telemetry is made in process
 *   POST /v1/logs                  OTLP (Protobuf) logs, for the collector only
 *   GET /metrics                   metrics of all reporters and of apm-agent itself, for Prometheus
 *   GET /                          the live page; its files are in /assets
 *   GET /events?after=0            server-sent events: the updates after a time, then each new one
 *   POST /live/load                latencies of the clients of a load generator, for the live page
 *   GET /healthz, /usage
 */
export function createAgentServer(options: HttpServerOptions): Server {
  const { reporters, counts, exports, live, page, allowedHosts = [] } = options
  const json = (value: unknown) => ['application/json', JSON.stringify(value)] as const
  const answers: Record<string, () => readonly [type: string, body: string]> = {
    '/metrics': () => [PROMETHEUS_TYPE, exposeMetrics(reporters.collect(), ownFigures(counts, exports))],
    '/healthz': () => json({ status: 'ok' }),
    '/usage': () => json(readProcessUsage()),
  }
  const answerRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const [path, query] = splitUrl(request.url as string)
    const answer = answers[path]
    if (otlpPaths.includes(path) || path === REPORTS) {
      if (request.method !== 'POST') return refuseMethod(response, ['POST'])
      if (path === REPORTS) return takeReport(request, response, live)
      return takeOtlp(request, response, path, options)
    }
    const file = page.get(path)
    if (!answer && !file && path !== EVENTS) {
      const known = [...otlpPaths, ...Object.keys(answers), EVENTS, REPORTS, '/'].join(', ')
      return refuse(response, 404, 'NOT_FOUND', `there is only ${known}`)
    }
    const methods = path === EVENTS ? ['GET'] : ['GET', 'HEAD']
    if (!methods.includes(request.method as string)) return refuseMethod(response, methods)
    if (answer) return respond(response, 200, ...answer())
    if (file) return sendFile(response, file)
    live.hub.watch(response, Number(new URLSearchParams(query).get('after')) || 0)
  }
  const server = createServer(limits, answerRequest)
  guardServer(server, allowedHosts)
  server.maxConnections = MAX_CONNECTIONS
  return server
}

function refuseMethod(response: ServerResponse, allowed: readonly string[]): void {
  response.setHeader('allow', allowed.join(', '))
  refuse(response, 405, 'METHOD_NOT_ALLOWED', `only ${allowed.join(' and ')} is allowed`)
}
