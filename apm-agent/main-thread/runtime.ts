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

interface RuntimeOptions {
  readonly intervalMs: number
  /** Reads the metrics of threads and pools, which other modules know. */
  read(): Promise<readonly MetricPoint[]>
  sendPoints(points: readonly MetricPoint[]): void
  recordGarbageCollection(kind: string, startMs: number, durationMs: number): void
}

/** Reads the runtime at intervals. Node.js reports each garbage collection as it happens. */
export class RuntimeSampler {
  readonly #options: RuntimeOptions
  /**
   * Measures each turn of the event loop. OpenTelemetry's instrumentation of the runtime has a timer of 10 ms instead, which
   * wakes an idle main thread a hundred times a second, and adds its 10 ms to each delay.
   */
  readonly #delay = monitorEventLoopDelay({ samplePerIteration: true })
  readonly #collections: PerformanceObserver
  readonly #timer: NodeJS.Timeout
  readonly #resourceTypes = new Set<string>()
  #loop = performance.eventLoopUtilization()

  constructor(options: RuntimeOptions) {
    this.#options = options
    this.#delay.enable()
    this.#collections = new PerformanceObserver(list => {
      for (const entry of list.getEntries()) this.#recordCollection(entry)
    })
    this.#collections.observe({ entryTypes: ['gc'] })
    this.#timer = setInterval(() => void this.sample(), options.intervalMs).unref()
  }

  /** Stops after a last reading. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#collections.disconnect()
    await this.sample()
    this.#delay.disable()
  }

  /** Takes a reading now. */
  async sample(): Promise<void> {
    const own = [...this.#readDelay(), ...this.#readLoop(), ...readHeap(), ...this.#readResources()]
    this.#options.sendPoints([...own, ...(await this.#options.read())])
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

  #recordCollection(entry: PerformanceEntry): void {
    const { startTime, duration, detail } = entry as PerformanceEntry & { detail: { kind: number } }
    const kind = gcKinds[detail.kind] ?? 'other'
    this.#options.recordGarbageCollection(kind, startTime, duration)
  }
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
