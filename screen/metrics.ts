import type { MetricId, Second } from './stage-messages.ts'

/** A second of which the CPU time is known. */
export type Measured = Second & { readonly cpuMicros: number }

/** A figure of the stage: how it is made of seconds, and shown. */
export interface Metric {
  readonly title: string
  readonly unit: string
  readonly isLowerBetter: boolean
  /** Digits after the point of values below ten; without it, none. */
  readonly digits?: number
  /** The end of the scale, if it does not depend on the values. */
  readonly max?: number
  /** The value of one second or of several; null if they have none. */
  of(seconds: readonly Measured[]): number | null
}

export const metrics: Readonly<Record<MetricId, Metric>> = {
  cost: {
    title: 'A request costs the main thread',
    unit: 'µs',
    isLowerBetter: true,
    of: seconds => divide(sum(seconds, 'cpuMicros'), sum(seconds, 'good')),
  },
  busy: {
    title: 'The main thread is busy',
    unit: '%',
    isLowerBetter: true,
    max: 100,
    of: seconds => divide(sum(seconds, 'cpuMicros'), 10 * sum(seconds, 'durationMs')),
  },
  goodput: {
    title: 'Right answers',
    unit: '/s',
    isLowerBetter: false,
    of: seconds => divide(1000 * sum(seconds, 'good'), sum(seconds, 'durationMs')),
  },
  latency: {
    title: 'Half of the answers take',
    unit: 'ms',
    isLowerBetter: true,
    digits: 1,
    of: seconds => mean(seconds.flatMap(({ p50Ms }) => p50Ms ?? [])),
  },
}

export const metricIds = Object.keys(metrics) as MetricId[]

export const isMeasured = (second: Second): second is Measured => second.cpuMicros !== null

/** A value as text of at most five characters, such as `1,575`, `2.4` or `12k`. */
export const format = ({ digits = 0 }: Metric, value: number): string =>
  value >= 10_000
    ? `${Math.round(value / 1000)}k`
    : value.toLocaleString('en', { maximumFractionDigits: value < 10 ? digits : 0 })

const sum = (seconds: readonly Measured[], key: 'cpuMicros' | 'good' | 'durationMs'): number =>
  seconds.reduce((total, second) => total + second[key], 0)

const divide = (value: number, by: number): number | null => (by === 0 ? null : value / by)

const mean = (values: readonly number[]): number | null =>
  divide(
    values.reduce((total, value) => total + value, 0),
    values.length,
  )
