import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '../../../lib/http/listen.ts'
import { findMissingGo, go, reasonOf, toolDirectory } from '../../tools.ts'

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

/** Builds OpenTelemetry's collector. @returns the thing that is missing for that, or undefined */
export function findMissing(): string | undefined {
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

const READY = 'Everything is ready'
const signals = ['traces', 'metrics', 'logs'] as const

/** Everything that a collector received, with the attributes of its resource as text. */
export type Received = ReturnType<typeof readReceived>

/** Starts OpenTelemetry's collector, which writes everything that it receives to files in the directory. */
export async function startCollector(directory: string) {
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

/** OTLP's code for a span of kind SERVER. */
const SERVER = 2

/** Reads the files of the collector: OTLP as JSON, one export a line. */
function readReceived(directory: string) {
  const [traces, metrics, logs] = signals.map(signal => {
    const lines = readFileSync(join(directory, `${signal}.json`), 'utf8').split('\n').slice(0, -1)
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
