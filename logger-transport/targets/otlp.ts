import { DEFAULT_OTLP_URL, otlpUrl, withoutCredentials } from '../../lib/telemetry/otel-environment.ts'
import { createOtlpExporter, NO_FORM } from '../../lib/telemetry/otlp-exporter.ts'
import type { LogRecord } from '../record.ts'
import type { Refusal, Target } from './contract.ts'
import { describeRecords } from './otlp-record.ts'

const TOO_LARGE = 413
/** The statuses below 500 with which a receiver asks to try again: a time limit, and too many requests. */
const TEMPORARY = [408, 429]

/** Creates the target that the options, or the variables of OpenTelemetry, describe. */
export const openOtlpTarget = (options: { readonly otlpUrl: string | undefined }): Target =>
  createOtlpTarget(otlpUrl('logs', options.otlpUrl) ?? (otlpUrl('logs', DEFAULT_OTLP_URL) as string))

/**
 * Creates a target that sends logs by OTLP/HTTP (Protobuf), with OpenTelemetry's exporter.
 * @param url the complete URL to which logs are sent
 */
export function createOtlpTarget(url: string): Target {
  const send = createOtlpExporter('logs', url)

  async function deliver(records: readonly LogRecord[]): Promise<readonly Refusal[]> {
    try {
      const { rejected, message } = await send(describeRecords(records))
      const count = Math.min(rejected, records.length)
      if (count === 0 && !message) return []
      const why = `${url} answered: ${message || 'no reason'}`
      return [{ count, records: count === records.length ? records : [], why }]
    } catch (error) {
      const { code, message } = error as Error & { readonly code?: unknown }
      if (!isPermanent(code)) throw new Error(withoutCredentials(message), { cause: error })
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

/** Whether a receiver that answers with this status would refuse the same export again and again. */
const isPermanent = (code: unknown): boolean =>
  code === NO_FORM || (typeof code === 'number' && code >= 300 && code < 500 && !TEMPORARY.includes(code))
