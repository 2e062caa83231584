import {
  constants,
  monitorEventLoopDelay,
  type PerformanceEntry,
  PerformanceObserver,
  performance,
} from 'node:perf_hooks'
import { getHeapSpaceStatistics } from 'node:v8'
import type { MetricName, MetricPoint } from '../metrics.ts'

const gcKinds: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weakcb',
}

/** Tells of a garbage collection. @param kind by the semantic conventions */
type RecordCollection = (kind: string, startMs: number, durationMs: number) => void

/** Reads the runtime. Node.js reports each garbage collection as it happens. */
export class RuntimeSampler {
  /**
   * Measures each turn of the event loop. OpenTelemetry's instrumentation of the runtime has a timer of 10 ms instead, which
   * wakes an idle main thread a hundred times a second, and adds its 10 ms to each delay.
   */
  readonly #delay = monitorEventLoopDelay({ samplePerIteration: true })
  readonly #collections: PerformanceObserver
  readonly #resourceTypes = new Set<string>()
  #loop = performance.eventLoopUtilization()

  constructor(recordCollection: RecordCollection) {
    this.#delay.enable()
    this.#collections = new PerformanceObserver(list => {
      for (const entry of list.getEntries()) tell(entry, recordCollection)
    })
    this.#collections.observe({ entryTypes: ['gc'] })
  }

  /** The present metrics. */
  read(): MetricPoint[] {
    return [...this.#readDelay(), ...this.#readLoop(), ...readHeap(), ...this.#readResources()]
  }

  close(): void {
    this.#collections.disconnect()
    this.#delay.disable()
  }

  #readDelay(): MetricPoint[] {
    const delay = this.#delay
    // Fewer ticks are not enough for percentiles.
    if (delay.count < 5) return []
    const nanos: Partial<Record<MetricName, number>> = {
      'nodejs.eventloop.delay.min': delay.min,
      'nodejs.eventloop.delay.max': delay.max,
      'nodejs.eventloop.delay.mean': delay.mean,
      'nodejs.eventloop.delay.stddev': delay.stddev,
      'nodejs.eventloop.delay.p50': delay.percentile(50),
      'nodejs.eventloop.delay.p90': delay.percentile(90),
      'nodejs.eventloop.delay.p99': delay.percentile(99),
    }
    delay.reset()
    return Object.entries(nanos).map(([metric, value]) => ({ metric, value: value / 1e9 }))
  }

  #readLoop(): MetricPoint[] {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, this.#loop)
    this.#loop = now
    const time = (state: string, ms: number) => ({
      metric: 'nodejs.eventloop.time',
      value: ms / 1000,
      attributes: { 'nodejs.eventloop.state': state },
    })
    return [
      { metric: 'nodejs.eventloop.utilization', value: utilization },
      time('active', now.active),
      time('idle', now.idle),
    ]
  }

  /** A resource type that was seen once is reported as 0 when no such resource is left. */
  #readResources(): MetricPoint[] {
    const active = Map.groupBy(process.getActiveResourcesInfo(), type => type)
    for (const type of active.keys()) this.#resourceTypes.add(type)
    return [...this.#resourceTypes].map(type => ({
      metric: 'v8js.resource.active',
      value: active.get(type)?.length ?? 0,
      attributes: { 'v8js.resource.type': type },
    }))
  }
}

function tell(entry: PerformanceEntry, recordCollection: RecordCollection): void {
  const { startTime, duration, detail } = entry as PerformanceEntry & { detail: { kind: number } }
  recordCollection(gcKinds[detail.kind] ?? 'other', startTime, duration)
}

function readHeap(): MetricPoint[] {
  return getHeapSpaceStatistics().flatMap(space => {
    const attributes = { 'v8js.heap.space.name': space.space_name }
    const bytes: Partial<Record<MetricName, number>> = {
      'v8js.memory.heap.space.size': space.space_size,
      'v8js.memory.heap.used': space.space_used_size,
      'v8js.memory.heap.space.available_size': space.space_available_size,
      'v8js.memory.heap.space.physical_size': space.physical_space_size,
    }
    return Object.entries(bytes).map(([metric, value]) => ({ metric, value, attributes }))
  })
}
