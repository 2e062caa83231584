import { type ExportResult, ExportResultCode } from '@opentelemetry/core'

interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void
}

/**
 * Exports items once. The exporter may make several attempts.
 * @param complain receives a readable line with the reason if the collector at `url` did not accept the data
 * @returns whether the collector accepted the data
 */
export const exportOnce = <Items>(
  exporter: Exporter<Items>,
  items: Items,
  url: string,
  complain: (line: string) => void,
): Promise<boolean> =>
  new Promise(resolve => {
    const done = ({ code, error }: ExportResult) => {
      if (code !== ExportResultCode.SUCCESS)
        complain(`telemetry: ${url} ${describe(error)}; what it was sent is dropped`)
      resolve(code === ExportResultCode.SUCCESS)
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
