import { ExportResultCode } from '@opentelemetry/core'
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base'
import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from '@opentelemetry/otlp-exporter-base/node-http'
import {
  type IExporterMetricsHelper,
  type ISerializer,
  LogsExporterMetricsHelper,
  MetricsExporterMetricsHelper,
  ProtobufLogsSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from '@opentelemetry/otlp-transformer'
import type { Signal } from './otel-environment.ts'

/** The code of an error of the serializer, for example because a value is nested more deeply than the stack allows. */
export const NO_FORM = 'NO_FORM'

/** What a receiver says about an export that it has accepted. */
export interface Accepted {
  /** The number of items that it has rejected all the same. */
  readonly rejected: number
  /** Why, or a warning. */
  readonly message: string
}

type ItemsOf<S extends { serializeRequest(items: never): unknown }> = Parameters<S['serializeRequest']>[0]

interface Items {
  readonly traces: ItemsOf<typeof ProtobufTraceSerializer>
  readonly metrics: ItemsOf<typeof ProtobufMetricsSerializer>
  readonly logs: ItemsOf<typeof ProtobufLogsSerializer>
}

type Parts<S extends Signal> = readonly [
  serializer: ISerializer<Items[S], { partialSuccess?: object }>,
  componentType: string,
  helper: IExporterMetricsHelper<Items[S]>,
]

const parts: { readonly [S in Signal]: Parts<S> } = {
  traces: [ProtobufTraceSerializer, 'otlp_http_span_exporter', TraceExporterMetricsHelper],
  metrics: [ProtobufMetricsSerializer, 'otlp_http_metric_exporter', MetricsExporterMetricsHelper],
  logs: [ProtobufLogsSerializer, 'otlp_http_log_exporter', LogsExporterMetricsHelper],
}

/** The fields in which the answers for the signals have the number of rejected items. */
const REJECTED = ['rejectedSpans', 'rejectedDataPoints', 'rejectedLogRecords'] as const

/**
 * Creates OpenTelemetry's OTLP exporter (HTTP, Protobuf), which only logs what a receiver has rejected in an answer of 200: this one
 * returns it. It tries again after a temporary failure.
 * @returns a function for one call at a time. Its errors have the status of an answer as `code`, or NO_FORM.
 */
export function createOtlpExporter<S extends Signal>(
  signal: S,
  url: string,
): (items: Items[S]) => Promise<Accepted> {
  const [serializer, componentType, helper] = parts[signal]
  let said: Readonly<Record<string, unknown>> = {}
  const listening = {
    ...serializer,
    deserializeResponse(bytes: Uint8Array) {
      said = (serializer.deserializeResponse(bytes).partialSuccess ?? {}) as typeof said
      return {}
    },
  }
  const headers = { 'Content-Type': 'application/x-protobuf' }
  const options = convertLegacyHttpOptions({ url }, signal.toUpperCase(), '', headers)
  const exporter = new OTLPExporterBase<Items[S]>(
    createOtlpHttpExportDelegate(options, listening, componentType, helper, undefined),
  )
  return items =>
    new Promise((resolve, reject) => {
      said = {}
      try {
        exporter.export(items, ({ code, error }) => {
          const rejected = Number(REJECTED.map(field => said[field]).find(count => count !== undefined) ?? 0)
          if (code === ExportResultCode.SUCCESS)
            resolve({ rejected, message: String(said.errorMessage ?? '') })
          else reject(error ?? new Error('the receiver refused it'))
        })
      } catch (error) {
        reject(Object.assign(error as Error, { code: NO_FORM }))
      }
    })
}
