import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'

const PERCENTILES = [0.001, 0.01, 0.1, 1, 2.5, 10, 25, 50, 75, 90, 97.5, 99, 99.9, 99.99, 99.999]

/** Times of tasks in milliseconds. A percentile is named `p99_9`. */
export type TimeSummary = Readonly<
  Record<'average' | 'mean' | 'stddev' | 'min' | 'max' | `p${string}`, number>
>

/** The times that the tasks of a pool took. */
export class Timing {
  readonly #wait = createHistogram()
  readonly #run = createHistogram()

  /** The time from `run` to the start of the task. */
  get waitTime(): TimeSummary {
    return summarize(this.#wait)
  }

  /** The time that the task ran. */
  get runTime(): TimeSummary {
    return summarize(this.#run)
  }

  resetWaitTime(): void {
    this.#wait.reset()
  }

  resetRunTime(): void {
    this.#run.reset()
  }

  /** @internal */
  record(waitMs: number, runMs: number): void {
    this.#wait.record(toMicros(waitMs))
    this.#run.record(toMicros(runMs))
  }
}

/** Histograms hold whole numbers from 1 on. */
const toMicros = (ms: number) => Math.max(1, Math.round(ms * 1000))

function summarize(histogram: RecordableHistogram): TimeSummary {
  const { mean, stddev, min, max } = histogram
  const percentiles = PERCENTILES.map(each => [
    `p${String(each).replace('.', '_')}`,
    histogram.percentile(each) / 1000,
  ])
  const isEmpty = histogram.count === 0
  return {
    average: isEmpty ? 0 : mean / 1000,
    mean: isEmpty ? 0 : mean / 1000,
    stddev: isEmpty ? 0 : stddev / 1000,
    min: isEmpty ? 0 : min / 1000,
    max: max / 1000,
    ...Object.fromEntries(percentiles),
  }
}
