import type { Apm, ApmOptions } from '../../app/concerns/apm/contract.ts'
import type { MetricPoint } from '../protocol.ts'
import type { BatchSink } from './batch.ts'
import { Recorder } from './recorder.ts'
import { RuntimeSampler } from './runtime.ts'
import type { Strings } from './strings.ts'

/** Where everything goes that is recorded. */
export interface Destination extends BatchSink {
  sendPoints(points: readonly MetricPoint[]): void
  /** Of spans, those that were given to it and got lost; if it were closed now. */
  counts(): {
    readonly droppedSpans: number
    readonly metricPoints: ReturnType<Apm['counts']>['metricPoints']
  }
  /** Delivers what is buffered. */
  close(): Promise<void>
}

/** Telemetry from records: spans at the seams, and the runtime now and then. */
export class Recording extends Recorder implements Apm {
  readonly #destination: Destination
  readonly #runtime: RuntimeSampler
  readonly #readers: (() => Promise<readonly MetricPoint[]>)[] = []

  constructor(destination: Destination, strings: Strings, options: ApmOptions) {
    super(destination, strings, options.traceRatio)
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

  counts(): ReturnType<Apm['counts']> {
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
