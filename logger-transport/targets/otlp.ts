import { ExportResultCode } from '@opentelemetry/core'
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base'
import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from '@opentelemetry/otlp-exporter-base/node-http'
import {
  type IExportLogsPartialSuccess,
  type IExportLogsServiceResponse,
  LogsExporterMetricsHelper,
  ProtobufLogsSerializer,
} from '@opentelemetry/otlp-transformer'
import type { ReadableLogRecord } from '@opentelemetry/sdk-logs'
import type { LogRecord } from '../record.ts'
import type { Refusal, Target } from './contract.ts'
import { describeRecords } from './otlp-record.ts'

const TOO_LARGE = 413
/** The code of an error of the serializer, for example because a line is nested more deeply than the stack allows. */
const NO_FORM = 'NO_FORM'
/** The statuses below 500 with which a receiver asks to try again: a time limit, and too many requests. */
const TEMPORARY = [408, 429]

/**
 * Creates a target that sends logs by OTLP/HTTP (Protobuf), with OpenTelemetry's exporter.
 * @param url the complete URL to which logs are sent
 */
export function createOtlpTarget(url: string): Target {
  const send = createSender(url)

  async function deliver(records: readonly LogRecord[]): Promise<readonly Refusal[]> {
    try {
      const { rejectedLogRecords = 0, errorMessage = '' } = await send(describeRecords(records))
      const count = Math.min(Number(rejectedLogRecords), records.length)
      if (count === 0 && !errorMessage) return []
      const why = `${url} answered: ${errorMessage || 'no reason'}`
      return [{ count, records: count === records.length ? records : [], why }]
    } catch (error) {
      const { code, message } = error as Error & { readonly code?: unknown }
      if (!isPermanent(code)) throw error
      // A receiver that finds an export too large may take each half of it, and one line alone has no form.
      const half = Math.floor(records.length / 2)
      if ((code === TOO_LARGE || code === NO_FORM) && half > 0)
        return [...(await deliver(records.slice(0, half))), ...(await deliver(records.slice(half)))]
      const why =
        code === NO_FORM
          ? `it cannot be made Protobuf (${message})`
          : `${url} answered with ${code} ${message}`
      return [{ count: records.length, records, why }]
    }
  }

  return {
    name: 'otlp',
    deliver,
    // `exporter.shutdown()` is not called: it waits for exports that were given up, and releases nothing.
    close: async () => {},
  }
}

/**
 * Creates OpenTelemetry's exporter, which only logs that a receiver has refused some of the records that it answers with 200.
 * @returns a function that sends records, one call at a time. It returns what the receiver says about them. It throws the
 * exporter's error, which has the status of an answer as \`code\`; or NO_FORM.
 */
function createSender(url: string) {
  let said: IExportLogsServiceResponse = {}
  const serializer: typeof ProtobufLogsSerializer = {
    ...ProtobufLogsSerializer,
    deserializeResponse(bytes) {
      said = ProtobufLogsSerializer.deserializeResponse(bytes)
      return {}
    },
  }
  const options = convertLegacyHttpOptions({ url }, 'LOGS', '', { 'Content-Type': 'application/x-protobuf' })
  const exporter = new OTLPExporterBase<ReadableLogRecord[]>(
    createOtlpHttpExportDelegate(
      options,
      serializer,
      'otlp_http_log_exporter',
      LogsExporterMetricsHelper,
      undefined,
    ),
  )
  return (records: ReadableLogRecord[]) =>
    new Promise<IExportLogsPartialSuccess>((resolve, reject) => {
      said = {}
      try {
        exporter.export(records, ({ code, error }) =>
          code === ExportResultCode.SUCCESS
            ? resolve(said.partialSuccess ?? {})
            : reject(error ?? new Error('the receiver refused the lines')),
        )
      } catch (error) {
        reject(Object.assign(error as Error, { code: NO_FORM }))
      }
    })
}

/** Whether a receiver that answers with this status would refuse the same export again and again. */
const isPermanent = (code: unknown): boolean =>
  code === NO_FORM || (typeof code === 'number' && code >= 300 && code < 500 && !TEMPORARY.includes(code))
