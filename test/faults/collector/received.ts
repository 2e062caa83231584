import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The attributes of a resource as text, in a fixed order. */
type Resource = string

export interface Span {
  readonly resource: Resource
  readonly kind: 'SERVER' | 'other'
  /** Trace id and span id. */
  readonly context: string
}

export interface LogRecord {
  readonly resource: Resource
  readonly context: string
  readonly requestId: unknown
  /** The number of the line in its thread, and the thread. */
  readonly line: string
}

interface Points {
  readonly resource: Resource
  readonly metric: string
  /** One element for each point: the number of its values if it is of a histogram, otherwise NaN. */
  readonly counts: readonly number[]
}

/** Everything that a collector received. */
export interface Received {
  readonly spans: readonly Span[]
  readonly metrics: readonly Points[]
  readonly logs: readonly LogRecord[]
}

/** OTLP's code for a span of kind SERVER. */
const SERVER = 2

/** Reads the files of the collector: OTLP as JSON, one export a line. */
export async function readReceived(directory: string): Promise<Received> {
  const read = async (signal: string): Promise<Json[]> => {
    const text = await readFile(join(directory, `${signal}.json`), 'utf8')
    return text
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line))
  }
  const [traces, metrics, logs] = await Promise.all(['traces', 'metrics', 'logs'].map(read))
  return {
    spans: itemsOf(traces, 'resourceSpans', 'scopeSpans', 'spans').map(([resource, span]) => ({
      resource,
      kind: span.kind === SERVER ? 'SERVER' : 'other',
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
): (readonly [Resource, Json])[] =>
  exports.flatMap(each =>
    each[resources].flatMap((ofResource: Json) =>
      ofResource[scopes].flatMap((ofScope: Json) =>
        ofScope[items].map((item: Json) => [describeResource(ofResource.resource), item] as const),
      ),
    ),
  )

const describeResource = ({ attributes }: Json): Resource =>
  readAttributes(attributes)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(', ')

const readAttributes = (attributes: readonly Json[] = []) =>
  attributes.map(({ key, value }) => [key, String(Object.values(value)[0])] as const)

const contextOf = ({ traceId, spanId }: Json): string => `${traceId ?? ''} ${spanId ?? ''}`
