/** The instrumentation scope of all spans and metrics that are made of records. */
export const OWN_SCOPE = { name: 'app' } as const

interface Metric {
  /** The sum of an up-down counter over several instances is meaningful; the sum of a gauge is not. */
  readonly type: 'gauge' | 'counter' | 'upDownCounter'
  /** The unit in UCUM, as the semantic conventions demand. */
  readonly unit: string
  readonly description: string
}

const metric =
  (type: Metric['type']) =>
  (unit: string, description: string): Metric => ({ type, unit, description })
const [gauge, counter, upDownCounter] = [metric('gauge'), metric('counter'), metric('upDownCounter')]

/**
 * Metrics that are read at intervals and not recorded for each request. Names that begin with `nodejs.` and `v8js.` are
 * from OpenTelemetry's semantic conventions; the others are our own.
 */
export const metrics = {
  'nodejs.eventloop.delay.min': gauge('s', 'Event loop minimum delay.'),
  'nodejs.eventloop.delay.max': gauge('s', 'Event loop maximum delay.'),
  'nodejs.eventloop.delay.mean': gauge('s', 'Event loop mean delay.'),
  'nodejs.eventloop.delay.stddev': gauge('s', 'Event loop standard deviation delay.'),
  'nodejs.eventloop.delay.p50': gauge('s', 'Event loop 50 percentile delay.'),
  'nodejs.eventloop.delay.p90': gauge('s', 'Event loop 90 percentile delay.'),
  'nodejs.eventloop.delay.p99': gauge('s', 'Event loop 99 percentile delay.'),
  'nodejs.eventloop.utilization': gauge('1', 'Event loop utilization'),
  'nodejs.eventloop.time': counter('s', 'Cumulative duration of time the event loop has been in each state.'),
  'v8js.memory.heap.space.size': upDownCounter(
    'By',
    'Total heap memory size pre-allocated for a heap space.',
  ),
  'v8js.memory.heap.used': gauge('By', 'Heap Memory size allocated.'),
  'v8js.memory.heap.space.available_size': gauge('By', 'Heap space available size.'),
  'v8js.memory.heap.space.physical_size': gauge('By', 'Committed size of a heap space.'),
  'v8js.resource.active': gauge('{resource}', 'Resources that keep the event loop alive, by their type.'),
  'app.thread.cpu.time': counter('s', 'CPU time of a thread, by its name.'),
  'app.pool.size': gauge('{worker}', 'Workers of a pool.'),
  'app.pool.queue.length': gauge('{task}', 'Tasks that wait for a worker.'),
  'app.pool.tasks': counter('{task}', 'Tasks that were run.'),
  'app.pool.queue.wait': counter('s', 'Time that tasks waited for a worker, summed up.'),
  'app.pool.run': counter('s', 'Time that tasks ran, summed up.'),
  'app.requests.refused': counter('{request}', 'Requests that were not admitted, by what is congested.'),
  'app.upstream.circuit': gauge('1', 'Circuit breaker of an upstream call: 0 closed, 1 trying, 2 open.'),
  'app.page.memory': gauge('By', 'Memory of pages that are made or sent.'),
  'app.page.fallbacks': counter('{part}', 'Parts that a page lacks.'),
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof metrics

/** One reading of a metric. */
export interface MetricPoint {
  readonly metric: string
  readonly value: number
  readonly attributes?: Readonly<Record<string, string>>
}

/** Whether this is a point whose value and attributes can be sent and received. */
export const isMetricPoint = (given: unknown): given is MetricPoint =>
  isPlainObject(given) &&
  typeof given.metric === 'string' &&
  Number.isFinite(given.value) &&
  (given.attributes === undefined || isTexts(given.attributes))

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isTexts = (given: unknown): boolean =>
  isPlainObject(given) && Object.values(given).every(value => typeof value === 'string')
