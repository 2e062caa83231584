import { type Attributes, SeverityNumber } from '@opentelemetry/api'
import { ExportResultCode, millisToHrTime } from '@opentelemetry/core'
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs'
import { describeResource } from '../../lib/describe-resource.ts'
import type { Resource } from '../../lib/resource.ts'
import type { LogRecord } from '../record.ts'
import type { Target } from './contract.ts'

const severity: Readonly<Record<string, SeverityNumber>> = {
  error: SeverityNumber.ERROR,
  warn: SeverityNumber.WARN,
  info: SeverityNumber.INFO,
  debug: SeverityNumber.DEBUG,
}

/** Creates a target that sends logs by OTLP/HTTP (Protobuf), with OpenTelemetry's exporter. */
export function createOtlpTarget(url: string): Target {
  const exporter = new OTLPLogExporter({ url: `${url}/v1/logs` })
  return {
    name: 'otlp',
    deliver: records =>
      new Promise((resolve, reject) =>
        exporter.export(records.map(describe), ({ code, error }) =>
          code === ExportResultCode.SUCCESS
            ? resolve()
            : reject(error ?? new Error('the receiver refused the lines')),
        ),
      ),
    // `exporter.shutdown()` is not called: it waits for exports that were given up, and releases nothing.
    close: async () => {},
  }
}

function describe({ fields }: LogRecord): ReadableLogRecord {
  const { time, level, message, traceId, service, version, host, pid, instance, ...attributes } = fields
  return {
    hrTime: millisToHrTime(Number(time) || Date.now()),
    hrTimeObserved: millisToHrTime(Date.now()),
    severityNumber: severity[String(level)] ?? SeverityNumber.UNSPECIFIED,
    severityText: String(level),
    body: String(message),
    attributes: { ...(attributes as Attributes), ...(traceId ? { traceId: String(traceId) } : {}) },
    droppedAttributesCount: 0,
    resource: resourceFromAttributes(describeResource({ service, version, host, pid, instance } as Resource)),
    instrumentationScope: { name: 'logger-transport' },
  } as ReadableLogRecord
}
