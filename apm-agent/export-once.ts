import { withoutCredentials } from '../lib/telemetry/otel-environment.ts'
import type { Accepted } from '../lib/telemetry/otlp-exporter.ts'
import type { ExportCounts } from './counts.ts'

/** A place at a collector to which items are exported. */
export interface Destination<Items> {
  /** For messages. */
  readonly url: string
  readonly counts: ExportCounts
  export(items: Items): Promise<Accepted>
  /** Receives a readable line with the reason if the collector did not accept all items. */
  complain(line: string): void
}

/** Exports items once, and counts them. The exporter may make several attempts. @param count the number of items */
export async function exportOnce<Items>(to: Destination<Items>, items: Items, count: number): Promise<void> {
  const say = (what: string) => to.complain(`telemetry: ${withoutCredentials(to.url)} ${what}`)
  try {
    const { rejected, message } = await to.export(items)
    const dropped = Math.min(rejected, count)
    to.counts.exported += count - dropped
    to.counts.dropped += dropped
    if (dropped || message) say(`rejected ${dropped} of ${count} items (${message})`)
  } catch (error) {
    to.counts.dropped += count
    say(`${describe(error as Error)}; what it was sent is dropped`)
  }
}

/** Describes the error of an exporter, whose `code` may be an HTTP status. */
function describe({ code, message }: Error & { readonly code?: unknown }): string {
  if (typeof code === 'number') return `answered with ${code}`
  return `did not take it in time (${code ?? message})`
}
