import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { lastStep } from '../../app/steps.ts'
import { findFreePort } from '../../lib/http/listen.ts'
import type { Counts } from '../../lib/processes/protocol.ts'
import { logPlaces, startStack } from '../stack-parts.ts'
import { findMissingGo, go, reasonOf, toolDirectory } from '../tools.ts'
import { type Fault, total } from './fault.ts'
import { startRequests, untilDelivered } from './loaded-stack.ts'

/** Newer versions need modules that not every mirror of the Go module proxy has. */
const VERSION = 'v0.116.0'
const GO_VERSION = 22
const BUILDER = `go.opentelemetry.io/collector/cmd/builder@${VERSION}`
const CACHE = toolDirectory('otel-collector', VERSION)
const COLLECTOR = join(CACHE, 'collector')

/** Only the components that the faults need: the whole distribution would take far longer to build. */
const MANIFEST = `dist: { name: collector, output_path: ./sources }
receivers: [{ gomod: go.opentelemetry.io/collector/receiver/otlpreceiver ${VERSION} }]
exporters: [{ gomod: github.com/open-telemetry/opentelemetry-collector-contrib/exporter/fileexporter ${VERSION} }]
`

const READY = 'Everything is ready'
const signals = ['traces', 'metrics', 'logs'] as const
/** OTLP's code for a span of kind SERVER. */
const SERVER = 2
const DURATION = 'http.server.request.duration'

/** A real collector of OpenTelemetry as the one destination of all three signals. */
export const collectorFaults: readonly Fault[] = [
  {
    name: "OpenTelemetry's collector receives everything",
    seconds: 10,
    needs: findMissing,
    async run(directory, seconds) {
      const collector = await startCollector(directory)
      // As in containers, apm-agent is the only process that knows the collector.
      const port = await findFreePort()
      const stack = await startStack({
        composition: lastStep.composition,
        app: logPlaces(directory),
        apmAgent: { collectorUrl: collector.url, port },
        loggerTransport: { targets: ['otlp'], otlpUrl: `http://127.0.0.1:${port}` },
      })
      const requests = startRequests(`${stack.address('app')}/demo`)
      await delay(seconds * 1000)
      const { good, failures } = await requests.stop()
      // The stack stops apm-agent before logger-transport, which would keep the rest.
      await untilDelivered(stack)
      const counts = await stack.stop()
      const received = await collector.stop()
      assert.deepEqual(failures, {}, 'requests failed')
      return compare(received, counts, good)
    },
  },
]

/** Compares what the collector received with the counts of the stack and with the answers that clients got. */
function compare({ spans, metrics, logs }: Received, counts: Counts, answers: number): string {
  const resources = new Set([...spans, ...metrics, ...logs].map(({ resource }) => resource))
  assert.equal(resources.size, 1, `the resource is not the same: ${[...resources].join(' | ')}`)
  assert.match([...resources].join(), /service\.name=app/)

  assert.deepEqual([spans.length, 0], [counts.spans?.emitted, counts.spans?.dropped], 'spans')
  const { emitted, dropped, rejected } = counts.logLines ?? {}
  assert.deepEqual([logs.length, 0, 0], [emitted, dropped, rejected], 'log lines')
  assert.equal(new Set(logs.map(({ line }) => line)).size, logs.length, 'a line came twice')
  const servers = new Set(spans.filter(({ isServer }) => isServer).map(({ context }) => context))
  // The clients of the last requests may have left before they had the whole answer.
  assert.ok(servers.size >= answers, `${servers.size} SERVER spans of ${answers} answers`)
  const durations = metrics.filter(({ metric }) => metric === DURATION).at(-1)
  const measured = total(durations?.counts ?? [])
  assert.equal(measured, servers.size, 'the metric of the durations has another number of requests')

  const ofRequests = logs.filter(({ requestId }) => requestId !== undefined)
  assert.ok(ofRequests.length >= answers, `${ofRequests.length} log records of ${answers} requests`)
  const strays = ofRequests.filter(({ context }) => !servers.has(context))
  assert.deepEqual(strays, [], 'log records whose request has no span')
  return `${spans.length} spans, ${metrics.length} metrics and ${logs.length} log records of ${answers} requests, one resource`
}

/** Builds OpenTelemetry's collector. @returns the thing that is missing for that, or undefined */
function findMissing(): string | undefined {
  if (existsSync(COLLECTOR)) return undefined
  const missing = findMissingGo(GO_VERSION)
  if (missing) return missing
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(join(CACHE, 'builder.yaml'), MANIFEST)
  try {
    go(['run', BUILDER, '--config', 'builder.yaml'], { cwd: CACHE })
    renameSync(join(CACHE, 'sources/collector'), COLLECTOR)
    return undefined
  } catch (error) {
    return `OpenTelemetry's collector ${VERSION} cannot be built: ${reasonOf(error)}`
  }
}

/** Everything that a collector received, with the attributes of its resource as text. */
type Received = ReturnType<typeof readReceived>

/** Starts OpenTelemetry's collector, which writes everything that it receives to files in the directory. */
async function startCollector(directory: string) {
  const port = await findFreePort()
  const config = join(directory, 'collector.json')
  writeFileSync(config, JSON.stringify(configure(port, directory)))
  const collector = spawn(COLLECTOR, ['--config', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(collector, 'exit')
  let said = ''
  for await (const chunk of collector.stderr.iterator({ destroyOnReturn: false })) {
    said += chunk
    if (said.includes(READY)) break
  }
  assert.ok(said.includes(READY), `the collector ended: ${said}`)
  collector.stderr.resume()
  return {
    url: `http://127.0.0.1:${port}`,
    /** Stops the collector. @returns everything that it received */
    async stop() {
      collector.kill('SIGTERM')
      await ended
      return readReceived(directory)
    },
  }
}

/** The collector's configuration; its format, YAML, includes JSON. */
function configure(port: number, directory: string) {
  const named = signals.map(signal => [`file/${signal}`, { path: join(directory, `${signal}.json`) }])
  const pipelines = signals.map(signal => [signal, { receivers: ['otlp'], exporters: [`file/${signal}`] }])
  return {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    exporters: Object.fromEntries(named),
    service: { telemetry: { metrics: { level: 'none' } }, pipelines: Object.fromEntries(pipelines) },
  }
}

/** Reads the files of the collector: OTLP as JSON, one export a line. */
function readReceived(directory: string) {
  const [traces, metrics, logs] = signals.map(signal => {
    const lines = readFileSync(join(directory, `${signal}.json`), 'utf8')
      .split('\n')
      .slice(0, -1)
    return lines.map(line => JSON.parse(line))
  })
  return {
    spans: itemsOf(traces, 'resourceSpans', 'scopeSpans', 'spans').map(([resource, span]) => ({
      resource,
      isServer: span.kind === SERVER,
      context: contextOf(span),
    })),
    metrics: itemsOf(metrics, 'resourceMetrics', 'scopeMetrics', 'metrics').map(([resource, metric]) => {
      const { dataPoints } = metric.histogram ?? metric.sum ?? metric.gauge
      return { resource, metric: metric.name, counts: dataPoints.map(({ count }: Json) => Number(count)) }
    }),
    logs: itemsOf(logs, 'resourceLogs', 'scopeLogs', 'logRecords').map(([resource, record]) => {
      const { requestId, ...fields } = Object.fromEntries(readAttributes(record.attributes))
      const line = `${fields.sequence} of thread ${fields['thread.id']}`
      return { resource, context: contextOf(record), requestId, line }
    }),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: messages of OTLP, as its specification describes them
type Json = any

/** The items of all exports, each with its resource. */
const itemsOf = (
  exports: readonly Json[] = [],
  resources: string,
  scopes: string,
  items: string,
): (readonly [string, Json])[] =>
  exports.flatMap(each =>
    each[resources].flatMap((ofResource: Json) =>
      ofResource[scopes].flatMap((ofScope: Json) =>
        ofScope[items].map((item: Json) => [describeResource(ofResource.resource), item] as const),
      ),
    ),
  )

const describeResource = ({ attributes }: Json): string =>
  readAttributes(attributes)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(', ')

const readAttributes = (attributes: readonly Json[] = []) =>
  attributes.map(({ key, value }) => [key, String(Object.values(value)[0])] as const)

const contextOf = ({ traceId, spanId }: Json): string => `${traceId ?? ''} ${spanId ?? ''}`
