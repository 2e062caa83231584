import { performance } from 'node:perf_hooks'
import { AppInstance } from '../../../apm-agent/app-instance.ts'
import { CollectorExport, noExports } from '../../../apm-agent/collector.ts'
import { Batch } from '../../../apm-agent/main-thread/batch.ts'
import { type Destination, Recording } from '../../../apm-agent/main-thread/recording.ts'
import { Strings } from '../../../apm-agent/main-thread/strings.ts'
import type { MetricPoint } from '../../../apm-agent/metrics.ts'
import { HEADER_BYTES } from '../../../apm-agent/protocol.ts'
import { describeResource } from '../../../lib/telemetry/resource.ts'
import { type ThreadCalls, threadCallsOf } from '../../../lib/telemetry/thread-calls.ts'
import { currentSpan } from '../../context.ts'
import type { Apm, ApmOptions, CreateApm } from './contract.ts'
import { type OtlpValues, receiverOf } from './otlp-options.ts'

/**
 * Makes metrics and spans of our own records, and exports them in this process. The work is that of apm-agent; only the
 * process differs.
 */
export const createApm: CreateApm<Apm & { calls: ThreadCalls }, OtlpValues> = async options => {
  const strings = new Strings()
  const recording = new Recording(new Here(strings, options), strings, { ...options, currentSpan })
  return Object.assign(recording, { calls: threadCallsOf(recording) })
}

/** Does the work of apm-agent on the thread that records. */
class Here implements Destination {
  readonly takesPartialBatches = true
  readonly #batch = new Batch()
  readonly #strings: Strings
  readonly #instance: AppInstance
  readonly #export: CollectorExport
  readonly #exports = noExports()
  #knownStrings = 1
  #spans = 0

  constructor(strings: Strings, options: ApmOptions & OtlpValues) {
    this.#strings = strings
    const hello = { resource: describeResource(options.resource), timeOriginMs: performance.timeOrigin }
    this.#export = new CollectorExport({
      urls: { traces: receiverOf('traces', options), metrics: receiverOf('metrics', options) },
      counts: this.#exports,
      intervalMs: options.metricIntervalMs,
      collect: () => [this.#instance.collect()],
    })
    this.#instance = new AppInstance(hello, this.#export.spans)
  }

  take(): Batch {
    this.#batch.clear()
    return this.#batch
  }

  send(batch: Batch): void {
    this.#spans += batch.spans
    this.#instance.takeStrings({
      firstId: this.#knownStrings,
      strings: this.#strings.from(this.#knownStrings),
    })
    this.#knownStrings = this.#strings.size
    this.#instance.takeRecords(batch.memory, HEADER_BYTES, batch.endBytes)
  }

  sendPoints(points: readonly MetricPoint[]): void {
    this.#instance.measured.takePoints(points)
  }

  counts() {
    const { exported, dropped } = this.#exports.metrics
    return {
      droppedSpans: this.#spans - this.#exports.traces.exported,
      metricPoints: { emitted: exported + dropped, dropped },
    }
  }

  close(): Promise<void> {
    return this.#export.close()
  }
}
