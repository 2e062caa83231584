import { runningDelay } from '../../lib/os/running-time.ts'
import { isMetricPoint, type MetricPoint } from '../metrics.ts'
import type { BatchSink } from './batch.ts'
import { Recorder, type RecorderOptions } from './recorder.ts'
import { RuntimeSampler } from './runtime.ts'
import type { Strings } from './strings.ts'

/** The time that the readers of metrics have at the end. */
const LAST_READING_MS = 1000

/** The number of emitted items, and how many of them were lost. */
interface Emitted {
  readonly emitted: number
  readonly dropped: number
}

export interface RecordingOptions extends RecorderOptions {
  readonly metricIntervalMs: number
}

/** The receiver of everything that is recorded. */
export interface Destination extends BatchSink {
  sendPoints(points: readonly MetricPoint[]): void
  /** The numbers of lost spans and points, as if the destination were closed now. */
  counts(): {
    readonly droppedSpans: number
    readonly metricPoints: Emitted
  }
  /** Delivers buffered data. Absent if that is done by `close` alone. */
  settle?(): Promise<void>
  /** Delivers buffered data, and releases everything. @param limitMs the time for that, if not the usual one */
  close(limitMs?: number): Promise<void>
}

/** Makes telemetry from records: spans of requests, calls, tasks and parts, and metrics of the runtime at intervals. */
export class Recording extends Recorder {
  readonly #destination: Destination
  readonly #runtime: RuntimeSampler
  readonly #timer: NodeJS.Timeout
  readonly #readers: (() => Promise<readonly MetricPoint[]>)[] = []
  #malformedPoints = 0

  constructor(destination: Destination, strings: Strings, options: RecordingOptions) {
    super(destination, strings, options)
    this.#destination = destination
    this.#runtime = new RuntimeSampler((...collection) => this.recordGarbageCollection(...collection))
    this.#timer = setInterval(() => void this.#sample(), options.metricIntervalMs).unref()
  }

  watch(read: () => Promise<readonly MetricPoint[]>): void {
    this.#readers.push(read)
  }

  counts(): Readonly<Record<'spans' | 'metricPoints', Emitted>> {
    const { droppedSpans, metricPoints } = this.#destination.counts()
    const { emitted, dropped } = this.writer
    return {
      spans: { emitted, dropped: dropped + droppedSpans },
      metricPoints: {
        emitted: metricPoints.emitted + this.#malformedPoints,
        dropped: metricPoints.dropped + this.#malformedPoints,
      },
    }
  }

  /** Sends the records so far, and further ones at once: other listeners of the end of the process may end spans, too. */
  endNow(): void {
    this.writer.flushesAtOnce = true
    this.writer.flush()
  }

  /** Delivers what was recorded so far, with a last reading of the metrics. Recording goes on. */
  async settle(): Promise<void> {
    await this.#sampleWithin(LAST_READING_MS)
    await this.#destination.settle?.()
  }

  /** @param limitMs the time for the delivery, if not the usual one of the destination */
  async close(limitMs?: number): Promise<void> {
    clearInterval(this.#timer)
    await this.#sampleWithin(Math.min(LAST_READING_MS, limitMs ?? LAST_READING_MS))
    this.#runtime.close()
    await this.#destination.close(limitMs)
  }

  async #sampleWithin(limitMs: number): Promise<void> {
    await Promise.race([this.#sample(), runningDelay(limitMs)])
    this.writer.flush()
  }

  /**
   * Takes a reading of all metrics. A reader that fails has no points this time. A point without a number as its value, or with
   * attributes that are no text, is dropped and counted.
   */
  async #sample(): Promise<void> {
    const own = this.#runtime.read()
    const read = await Promise.allSettled(this.#readers.map(async each => each()))
    const points = [...own, ...read.flatMap(each => (each.status === 'fulfilled' ? each.value : []))]
    const valid = points.filter(isMetricPoint)
    this.#malformedPoints += points.length - valid.length
    this.#destination.sendPoints(valid)
  }
}
