import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api'
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { emptyResource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type ScopeMetrics,
} from '@opentelemetry/sdk-metrics'

export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** A number that a process keeps of itself, with a value for each combination of labels. */
export interface Figure {
  /** If it ends in `_total`, the number only grows while the process runs. */
  readonly name: string
  readonly help: string
  readonly values: readonly (readonly [labels: Attributes, value: number])[]
}

/** Writes no prefix, times, resource and scope. */
const serializer = new PrometheusSerializer('', false, undefined, true, true)

/** Metrics as text for Prometheus. */
export const toPrometheus = (scopeMetrics: ScopeMetrics[]): string =>
  serializer.serialize({ resource: emptyResource(), scopeMetrics })

/** Figures as text for Prometheus. */
export const toPrometheusText = (figures: readonly Figure[]): string =>
  toPrometheus([{ scope: { name: '' }, metrics: figures.map(describeFigure) }])

/** A figure in the form of OpenTelemetry's exporters. */
export const describeFigure = ({ name, help, values }: Figure): MetricData => ({
  descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
  aggregationTemporality: AggregationTemporality.CUMULATIVE,
  dataPoints: values.map(([attributes, value]) => ({ startTime: NOW, endTime: NOW, attributes, value })),
  ...(name.endsWith('_total')
    ? { dataPointType: DataPointType.SUM, isMonotonic: true }
    : { dataPointType: DataPointType.GAUGE }),
})

/** The text contains no times, so any time will do. */
const NOW: HrTime = [0, 0]

type Labels = Readonly<Record<string, string>>

interface LabelledValue {
  readonly labels: Labels
  readonly value: number
}

interface MetricOptions {
  readonly name: string
  readonly help: string
  /** Without labels, the metric has a value from the beginning, 0. */
  readonly labelNames?: readonly string[]
  readonly registers: readonly Registry[]
  /** Brings the values up to date. It is called whenever they are read. */
  collect?(this: Metric): void | Promise<void>
}

/** The metrics that a process keeps of itself, as text for Prometheus. */
export class Registry {
  readonly contentType = 'text/plain; version=0.0.4; charset=utf-8'
  readonly #metrics: Metric[] = []

  add(metric: Metric): void {
    this.#metrics.push(metric)
  }

  async metrics(): Promise<string> {
    const metrics = await Promise.all(this.#metrics.map(metric => metric.describe()))
    return serializer.serialize({
      resource: emptyResource(),
      scopeMetrics: [{ scope: { name: '' }, metrics }],
    })
  }
}

/** A metric with a value for each combination of labels. */
abstract class Metric {
  readonly #options: MetricOptions
  readonly #values = new Map<string, LabelledValue>()
  protected abstract readonly type: {
    dataPointType: DataPointType.SUM | DataPointType.GAUGE
    isMonotonic: boolean
  }

  constructor(options: MetricOptions) {
    this.#options = options
    if (!options.labelNames?.length) this.set({}, 0)
    for (const registry of options.registers) registry.add(this)
  }

  /** Reads the values, in the order in which their labels were first used. */
  async get(): Promise<{ values: LabelledValue[] }> {
    await this.#options.collect?.call(this)
    return { values: [...this.#values.values()] }
  }

  inc(labels: Labels, by = 1): void {
    this.set(labels, (this.#values.get(JSON.stringify(labels))?.value ?? 0) + by)
  }

  set(labels: Labels, value: number): void {
    this.#values.set(JSON.stringify(labels), { labels, value })
  }

  reset(): void {
    this.#values.clear()
  }

  /** Reads the metric in the form of OpenTelemetry. */
  async describe(): Promise<MetricData> {
    const { name, help } = this.#options
    const { values } = await this.get()
    return {
      ...this.type,
      descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
      dataPoints: values.map(({ labels, value }) => ({
        startTime: NOW,
        endTime: NOW,
        attributes: labels,
        value,
      })),
    } as MetricData
  }
}

/** A number that only grows while the process runs. Its name ends in `_total`. */
export class Counter extends Metric {
  protected readonly type = { dataPointType: DataPointType.SUM, isMonotonic: true } as const
}

/** A number that goes up and down. */
export class Gauge extends Metric {
  protected readonly type = { dataPointType: DataPointType.GAUGE, isMonotonic: false } as const
}
