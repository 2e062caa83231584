import type { ThreadCalls } from '../../../lib/telemetry/thread-calls.ts'
import type { Apm, CreateApm } from './contract.ts'

/** Records no telemetry. This is the floor of the concern. */
export const createApm: CreateApm<Apm & { calls: ThreadCalls }> = async () => ({
  instrument: () => {},
  enterRoute: () => undefined,
  leaveRoute: () => {},
  traceparent: () => undefined,
  startWork: () => undefined,
  endWork: () => {},
  failWork: () => {},
  calls: { begin: () => ({ headers: {}, end: () => {} }), drop: () => {} },
  watch: () => {},
  counts: () => ({ spans: { emitted: 0, dropped: 0 }, metricPoints: { emitted: 0, dropped: 0 } }),
  close: async () => {},
})
