import type { Attributes } from '@opentelemetry/api'
import type { Histogram as HistogramValue } from '@opentelemetry/sdk-metrics'

/** Upper bounds in seconds, as the semantic conventions advise for the duration of HTTP requests. */
export const DURATION_BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

/** Further series are counted in a single one, as OpenTelemetry's SDKs do. */
const MAX_SERIES = 2000
const OVERFLOW = -1

interface Series {
  readonly attributes: Attributes
  readonly value: HistogramValue
}

/**
 * Durations by their attributes. The caller combines the attributes of a series into a number, by which it is found. The histograms of
 * OpenTelemetry's SDK find a series by all of its attributes for each value, which would cost this process several times as much.
 */
export class DurationHistogram {
  readonly #series = new Map<number, Series>()

  /** @param describe returns the attributes of a new series */
  record(key: number, seconds: number, describe: () => Attributes): void {
    const { value } = this.#series.get(key) ?? this.#add(key, describe)
    value.count++
    value.sum = (value.sum as number) + seconds
    value.min = Math.min(value.min as number, seconds)
    value.max = Math.max(value.max as number, seconds)
    const { boundaries, counts } = value.buckets
    let bucket = 0
    while (bucket < boundaries.length && seconds > (boundaries[bucket] as number)) bucket++
    counts[bucket] = (counts[bucket] as number) + 1
  }

  get series(): Iterable<Series> {
    return this.#series.values()
  }

  #add(key: number, describe: () => Attributes): Series {
    const overflows = this.#series.size >= MAX_SERIES
    const existing = overflows && this.#series.get(OVERFLOW)
    if (existing) return existing
    const series = {
      attributes: overflows ? { 'otel.metric.overflow': true } : describe(),
      value: emptyHistogram(),
    }
    this.#series.set(overflows ? OVERFLOW : key, series)
    return series
  }
}

const emptyHistogram = (): HistogramValue => ({
  count: 0,
  sum: 0,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
  buckets: {
    boundaries: DURATION_BOUNDARIES,
    counts: Array.from({ length: DURATION_BOUNDARIES.length + 1 }, () => 0),
  },
})
