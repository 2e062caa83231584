import type { MetricPoint } from '../protocol.ts'
import type { BatchSink } from './batch.ts'
import type { CurrentSpan } from './calls.ts'
import { Recorder } from './recorder.ts'
import { RuntimeSampler } from './runtime.ts'
import type { Strings } from './strings.ts'

/** How many there were, and how many of them got lost on their way. */
interface Emitted {
  readonly emitted: number
  readonly dropped: number
}

export interface RecordingOptions {
  /** How many of the traces that begin here are sampled, 0 to 1; a trace that comes with a request has decided. */
  readonly traceRatio: number
  readonly metricIntervalMs: number
  readonly currentSpan: CurrentSpan
}

/** Where everything goes that is recorded. */
export interface Destination extends BatchSink {
  sendPoints(points: readonly MetricPoint[]): void
  /** Of spans, those that were given to it and got lost; if it were closed now. */
  counts(): {
    readonly droppedSpans: number
    readonly metricPoints: Emitted
  }
  /** Delivers what is buffered. */
  close(): Promise<void>
}

/** Telemetry from records: spans at the seams, and the runtime now and then. */
export class Recording extends Recorder {
  readonly #destination: Destination
  readonly #runtime: RuntimeSampler
  readonly #readers: (() => Promise<readonly MetricPoint[]>)[] = []

  constructor(destination: Destination, strings: Strings, options: RecordingOptions) {
    super(destination, strings, options.traceRatio, options.currentSpan)
    this.#destination = destination
    this.#runtime = new RuntimeSampler({
      intervalMs: options.metricIntervalMs,
      read: async () => (await Promise.all(this.#readers.map(read => read()))).flat(),
      sendPoints: points => destination.sendPoints(points),
      recordGarbageCollection: (...collection) => this.recordGarbageCollection(...collection),
    })
  }

  watch(read: () => Promise<readonly MetricPoint[]>): void {
    this.#readers.push(read)
  }

  counts(): Readonly<Record<'spans' | 'metricPoints', Emitted>> {
    const { droppedSpans, metricPoints } = this.#destination.counts()
    const { emitted, dropped } = this.writer
    return { spans: { emitted, dropped: dropped + droppedSpans }, metricPoints }
  }

  async close(): Promise<void> {
    await this.#runtime.close()
    this.writer.flush()
    await this.#destination.close()
  }
}
