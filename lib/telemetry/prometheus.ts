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

export const toPrometheus = (scopeMetrics: ScopeMetrics[]): string =>
  serializer.serialize({ resource: emptyResource(), scopeMetrics })

export const toPrometheusText = (figures: readonly Figure[]): string =>
  toPrometheus([{ scope: { name: '' }, metrics: figures.map(describeFigure) }])

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
