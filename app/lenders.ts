import type { CallRecorder } from '../lib/telemetry/call-times.ts'

/** What records the calls of threads for implementations of `apm` that do not: a table that the branch of a step loses. */
export const lenders: Readonly<Record<string, () => Promise<{ recordCalls(): CallRecorder }>>> = {
  opentelemetry: () => import('./concerns/apm/opentelemetry-calls.ts'),
}
