import type { CreateApm, TaskSpan } from './contract.ts'

const unrecorded: TaskSpan = { traceparent: undefined, end: () => {}, fail: () => {} }

/** No telemetry: the floor of the concern. */
export const createApm: CreateApm = async () => ({
  observe: () => {},
  route: () => {},
  traceparent: () => undefined,
  startTask: () => unrecorded,
  counts: () => ({ spans: { emitted: 0, dropped: 0 }, metricPoints: { emitted: 0, dropped: 0 } }),
  close: async () => {},
})
