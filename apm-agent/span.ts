import { type Attributes, type SpanContext, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api'
import { hrTimeDuration, millisToHrTime } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions'
import { OWN_SCOPE } from './metrics.ts'
import { field, recordKinds } from './protocol.ts'
import type { RecordView } from './record-view.ts'

const NO_PARENT = '0000000000000000'

/** The name, kind and attributes of spans, by the kind of record. */
const describers: Readonly<Record<number, (record: RecordView) => Described>> = {
  [recordKinds.server]: record => ({
    kind: SpanKind.SERVER,
    name: record.name ? `${record.method} ${record.name}` : record.method,
    attributes: record.describeCall(),
  }),
  [recordKinds.client]: record => ({
    kind: SpanKind.CLIENT,
    name: record.method === '_OTHER' ? 'HTTP' : record.method,
    attributes: record.describeCall(),
  }),
  [recordKinds.task]: record => describeWork('task', record),
  [recordKinds.render]: record => describeWork('render', record),
  [recordKinds.own]: record => ({
    kind: SpanKind.INTERNAL,
    name: record.name ?? 'unnamed',
    attributes: {
      ...record.describeOwn(),
      ...(record.hasFailed && { [ATTR_ERROR_TYPE]: record.errorType }),
    },
  }),
}

const describeWork = (kind: 'task' | 'render', record: RecordView): Described => ({
  kind: SpanKind.INTERNAL,
  name: `${kind} ${record.name}`,
  attributes: {
    [`app.${kind}.name`]: record.name,
    ...(record.hasFailed
      ? { [ATTR_ERROR_TYPE]: record.errorType }
      : { 'app.queue_wait_ms': record.waitMs, 'app.run_ms': record.runMs }),
  },
})

interface Described {
  readonly kind: SpanKind
  readonly name: string
  readonly attributes: Attributes
}

/** The span of a record, in the form of OpenTelemetry's exporters. */
export function describeSpan(record: RecordView, resource: Resource, timeOriginMs: number): ReadableSpan {
  const { kind, name, attributes } = (describers[record.kind] as (record: RecordView) => Described)(record)
  const startTime = millisToHrTime(timeOriginMs + record.startMs)
  const endTime = millisToHrTime(timeOriginMs + record.startMs + record.durationMs)
  const traceId = record.hex(field.traceId, 16)
  const contextOf = (spanId: string): SpanContext => ({ traceId, spanId, traceFlags: TraceFlags.SAMPLED })
  const spanContext = contextOf(record.hex(field.spanId, 8))
  const parentSpanId = record.hex(field.parentSpanId, 8)
  return {
    kind,
    name,
    attributes,
    resource,
    startTime,
    endTime,
    duration: hrTimeDuration(startTime, endTime),
    spanContext: () => spanContext,
    ...(parentSpanId !== NO_PARENT && { parentSpanContext: contextOf(parentSpanId) }),
    status: { code: isError(record) ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    ended: true,
    instrumentationScope: OWN_SCOPE,
    links: [],
    events: [],
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

/** By the semantic conventions, a mistake of the client is not an error of the server. */
const isError = (record: RecordView): boolean =>
  record.hasFailed || record.status >= (record.kind === recordKinds.server ? 500 : 400)
