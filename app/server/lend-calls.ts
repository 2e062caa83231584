import { threadCallsOf } from '../../lib/telemetry/thread-calls.ts'
import type { Apm } from '../concerns/apm/contract.ts'
import type { Composition } from '../concerns.ts'

/** Lets implementations of `apm` that do not record the calls of threads do so, in compositions that are no step. */
export async function lendCalls(apm: Apm, { apm: name, upstream }: Composition): Promise<void> {
  if (upstream !== 'threads' || name !== 'opentelemetry') return
  const { recordCalls } = await import('../concerns/apm/opentelemetry-calls.ts')
  Object.assign(apm, { calls: threadCallsOf(recordCalls()) })
}
