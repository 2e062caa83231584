import { createApm } from '../app/concerns/apm/none.ts'
import { resource } from '../app/context.ts'

/** Options that an implementation which records nothing ignores. */
const unused = {
  otlpUrls: { traces: '', metrics: '' },
  apmSocket: '',
  apmMemoryMib: 1,
  metricIntervalMs: 1,
  sampling: { isParentBased: true, ratio: 1 },
}

export const createNoApm = () => createApm({ ...unused, resource })
