import type { CallRecorder } from '../../../lib/telemetry/call-times.ts'
import type { Apm, CreateApm } from './contract.ts'

/** Records no telemetry. This is the floor of the concern. */
export const createApm: CreateApm<Apm & { calls: CallRecorder }> = async () => ({
  instrument: () => {},
  enterRoute: () => undefined,
  leaveRoute: () => {},
  traceparent: () => undefined,
  startWork: () => undefined,
  endWork: () => {},
  failWork: () => {},
  calls: { startCall: () => undefined, callHeaders: () => ({}), endCall: () => {}, drop: () => {} },
  watch: () => {},
  counts: () => ({ spans: { emitted: 0, dropped: 0 }, metricPoints: { emitted: 0, dropped: 0 } }),
  close: async () => {},
})
