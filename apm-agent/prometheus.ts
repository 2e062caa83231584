import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api'
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { emptyResource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics'
import { ATTR_SERVICE_INSTANCE_ID } from '@opentelemetry/semantic-conventions'

/** Units as Prometheus spells them at the end of a name; what is counted in things of its own has none. */
const suffixes: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes', '1': '_ratio' }

const serializer = new PrometheusSerializer('', false, undefined, true, true)

/** The metrics of all reporters as Prometheus's text: a family once, its points told apart by the instance. */
export function exposeMetrics(collected: readonly ResourceMetrics[]): string {
  const families = new Map<string, MetricData>()
  for (const { resource, scopeMetrics } of collected) {
    const instance = { [ATTR_SERVICE_INSTANCE_ID]: resource.attributes[ATTR_SERVICE_INSTANCE_ID] ?? '' }
    for (const metric of scopeMetrics.flatMap(({ metrics }) => metrics)) addTo(families, metric, instance)
  }
  const targets = collected.map(({ resource }) => resource.attributes)
  const scopeMetrics = [{ scope: { name: '' }, metrics: [describeTargets(targets), ...families.values()] }]
  return serializer.serialize({ resource: emptyResource(), scopeMetrics })
}

function addTo(families: Map<string, MetricData>, metric: MetricData, labels: Record<string, unknown>): void {
  const { name, unit } = metric.descriptor
  const suffix = suffixes[unit] ?? ''
  const exposed = name.replaceAll('.', '_').replace(new RegExp(`(${suffix})?$`), suffix)
  const family = families.get(exposed)
  // Two reporters that disagree on what a metric is: the first is believed.
  if (family && family.dataPointType !== metric.dataPointType) return
  const points = metric.dataPoints.map(point => ({
    ...point,
    attributes: { ...point.attributes, ...labels },
  }))
  const dataPoints = [...(family?.dataPoints ?? []), ...points]
  const descriptor = { ...metric.descriptor, name: exposed, unit: '' }
  families.set(exposed, { ...metric, descriptor, dataPoints } as MetricData)
}

/** Who reports, with everything that is known of it, as OpenTelemetry maps a resource for Prometheus. */
function describeTargets(resources: readonly Attributes[]): MetricData {
  return {
    descriptor: { name: 'target_info', description: 'Target metadata', unit: '', valueType: ValueType.INT },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPointType: DataPointType.GAUGE,
    dataPoints: resources.map(attributes => ({ startTime: NOW, endTime: NOW, attributes, value: 1 })),
  }
}

/** Points have no time in what is exposed. */
const NOW: HrTime = [0, 0]
