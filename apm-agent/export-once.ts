import { type ExportResult, ExportResultCode } from '@opentelemetry/core'

interface Exporter<Items> {
  export(items: Items, done: (result: ExportResult) => void): void
}

/**
 * Exports once, which may be several attempts.
 * @param complain is told, for people, why the collector at `url` has not taken it
 * @returns whether it was taken
 */
export const exportOnce = <Items>(
  exporter: Exporter<Items>,
  items: Items,
  url: string,
  complain: (line: string) => void,
): Promise<boolean> =>
  new Promise(resolve =>
    exporter.export(items, ({ code, error }) => {
      if (code !== ExportResultCode.SUCCESS)
        complain(`telemetry: ${url} ${describe(error)}; what it was sent is dropped`)
      resolve(code === ExportResultCode.SUCCESS)
    }),
  )

/** The exporter's error has the status as its code. */
function describe(error: (Error & { readonly code?: unknown }) | undefined): string {
  if (typeof error?.code === 'number') return `answered with ${error.code}`
  return `did not take it in time (${error?.code ?? error?.message ?? 'without a reason'})`
}
