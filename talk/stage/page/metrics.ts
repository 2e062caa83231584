import type { Comparison, Second } from '../protocol.ts'

/** A figure of the stage: how it is read from a second, and shown. */
export interface Metric {
  readonly id: string
  readonly title: string
  readonly unit: string
  readonly isLowerBetter: boolean
  /** Digits after the point of values below ten; without it, none. */
  readonly digits?: number
  /** The end of the scale, if it does not depend on the values. */
  readonly max?: number
  /** Null in a second that has no such value. */
  read(second: Second): number | null
  median(comparison: Comparison): number | null
}

export const metrics: readonly Metric[] = [
  {
    id: 'cost',
    title: 'A request costs the main thread',
    unit: 'µs',
    isLowerBetter: true,
    read: ({ cpuMicros, good }) => (cpuMicros === null || good === 0 ? null : cpuMicros / good),
    median: ({ costMicros }) => costMicros,
  },
  {
    id: 'busy',
    title: 'The main thread is busy',
    unit: '%',
    isLowerBetter: true,
    max: 100,
    read: ({ utilization }) => (utilization === null ? null : utilization * 100),
    median: ({ utilization }) => (utilization === null ? null : utilization * 100),
  },
  {
    id: 'goodput',
    title: 'Right answers',
    unit: '/s',
    isLowerBetter: false,
    read: ({ good, durationMs }) => (good / durationMs) * 1000,
    median: ({ goodput }) => goodput,
  },
  {
    id: 'latency',
    title: 'Half of the answers take',
    unit: 'ms',
    isLowerBetter: true,
    digits: 1,
    read: ({ p50Ms }) => p50Ms,
    median: ({ p50Ms }) => p50Ms,
  },
]

/** A value as text, such as `1,575` or `2.4`. */
export const format = ({ digits = 0 }: Metric, value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? digits : 0 })
