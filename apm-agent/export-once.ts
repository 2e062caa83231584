import { DiagLogLevel, diag } from '@opentelemetry/api'
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import { createComplaint } from '../lib/cli/complaint.ts'
import { withoutCredentials } from '../lib/telemetry/without-credentials.ts'
import type { ExportCounts } from './counts.ts'

interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void
}

/** An answer of a collector that has rejected a part of an export. */
interface PartialSuccess {
  readonly rejectedSpans?: number | string
  readonly rejectedDataPoints?: number | string
  readonly errorMessage?: string
}

/** The last such answer. Exporters say it right before they call back, and only to their log. */
let partial: PartialSuccess | undefined

/** Listens to the log of OpenTelemetry's exporters, which also says what is wrong with their environment variables. */
export function hearExporters(): void {
  const complain = createComplaint()
  const hear = (text: string, ...details: unknown[]) => {
    if (text.startsWith('Received Partial Success')) partial = JSON.parse(String(details[0]))
    else complain(withoutCredentials(`telemetry: ${[text, ...details].join(' ')}`))
  }
  const nothing = () => {}
  diag.setLogger(
    { error: nothing, warn: hear, info: nothing, debug: nothing, verbose: nothing },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
}

/**
 * Exports items once, and counts them. The exporter may make several attempts.
 * @param count the number of items
 * @param complain receives a readable line with the reason if the collector at `url` did not accept all of them
 */
export const exportOnce = <Items>(
  exporter: Exporter<Items>,
  items: Items,
  count: number,
  counts: ExportCounts,
  url: string,
  complain: (line: string) => void,
): Promise<void> =>
  new Promise(resolve => {
    const say = (what: string) => complain(`telemetry: ${withoutCredentials(url)} ${what}`)
    const done = ({ code, error }: ExportResult) => {
      const { rejectedSpans, rejectedDataPoints, errorMessage } = partial ?? {}
      partial = undefined
      const rejected = Math.min(Number(rejectedSpans ?? rejectedDataPoints ?? 0), count)
      const dropped = code === ExportResultCode.SUCCESS ? rejected : count
      counts.exported += count - dropped
      counts.dropped += dropped
      if (code !== ExportResultCode.SUCCESS) say(`${describe(error)}; what it was sent is dropped`)
      else if (rejected || errorMessage) say(`rejected ${rejected} of ${count} items (${errorMessage})`)
      resolve()
    }
    try {
      exporter.export(items, done)
    } catch (error) {
      // The exporter cannot encode a value.
      done({ code: ExportResultCode.FAILED, error: error as Error })
    }
  })

/** Describes the error of an exporter, whose `code` may be an HTTP status. */
function describe(error: (Error & { readonly code?: unknown }) | undefined): string {
  if (typeof error?.code === 'number') return `answered with ${error.code}`
  return `did not take it in time (${error?.code ?? error?.message ?? 'without a reason'})`
}
