import { createApm } from '../app/concerns/apm/none.ts'
import { resource } from '../app/resource.ts'

/** What an implementation that records nothing has no use for. */
const unused = { otlpUrl: '', apmSocket: '', apmMemoryMib: 1, metricIntervalMs: 1, traceRatio: 1 }

export const createNoApm = () => createApm({ ...unused, resource })
