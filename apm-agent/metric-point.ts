import type { MetricPoint } from './metrics.ts'

/** Whether this is a point whose value and attributes can be sent and received. */
export const isMetricPoint = (given: unknown): given is MetricPoint =>
  isPlainObject(given) &&
  typeof given.metric === 'string' &&
  Number.isFinite(given.value) &&
  (given.attributes === undefined || isTexts(given.attributes))

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isTexts = (given: unknown): boolean =>
  isPlainObject(given) && Object.values(given).every(value => typeof value === 'string')
