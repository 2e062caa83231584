import { type Attributes, type AttributeValue, type HrTime, ValueType } from '@opentelemetry/api'
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { emptyResource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics'
import { ATTR_SERVICE_INSTANCE_ID } from '@opentelemetry/semantic-conventions'

/** Units as Prometheus spells them at the end of a name. A count of things has no unit. */
const suffixes: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes', '1': '_ratio' }

/** Names that only apm-agent itself may use. */
const RESERVED = /^(target_info|apm_agent_.*)$/
const INSTANCE_LABEL = 'service_instance_id'

const serializer = new PrometheusSerializer('', false, undefined, true, true)

/** The labelled points of one name. */
interface Family {
  readonly metric: MetricData
  readonly points: Map<string, MetricData['dataPoints'][number]>
}

/**
 * The metrics of all reporters as text for Prometheus. A family appears once, and its points differ in the label of the
 * instance. The text stays valid whatever a reporter sends: names are made valid, and duplicate points are shown once.
 */
export function exposeMetrics(collected: readonly ResourceMetrics[]): string {
  const families = new Map<string, Family>()
  for (const { resource, scopeMetrics } of collected) {
    const instance = String(resource.attributes[ATTR_SERVICE_INSTANCE_ID] ?? '')
    for (const metric of scopeMetrics.flatMap(({ metrics }) => metrics)) addTo(families, metric, instance)
  }
  const shown = [...families].map(
    ([name, { metric, points }]) =>
      ({
        ...metric,
        descriptor: { ...metric.descriptor, name, unit: '' },
        dataPoints: [...points.values()],
      }) as MetricData,
  )
  const targets = collected.map(({ resource }) => toLabels(resource.attributes))
  const scopeMetrics = [{ scope: { name: '' }, metrics: [describeTargets(targets), ...shown] }]
  return serializer.serialize({ resource: emptyResource(), scopeMetrics })
}

function addTo(families: Map<string, Family>, metric: MetricData, instance: string): void {
  const name = exposedName(metric)
  if (RESERVED.test(name)) return
  const family = families.get(name) ?? { metric, points: new Map() }
  // If two reporters disagree about the type of a metric, the first one counts.
  if (family.metric.dataPointType !== metric.dataPointType) return
  families.set(name, family)
  for (const point of metric.dataPoints) {
    const { [INSTANCE_LABEL]: _, ...labels } = toLabels(point.attributes)
    const attributes = { ...labels, [INSTANCE_LABEL]: instance }
    const key = JSON.stringify(Object.entries(attributes).sort())
    if (!family.points.has(key)) family.points.set(key, { ...point, attributes })
  }
}

/** The name by the conventions of Prometheus: with the unit, and with `_total` for a counter. */
function exposedName(metric: MetricData): string {
  const suffix = suffixes[metric.descriptor.unit] ?? ''
  const counts = metric.dataPointType === DataPointType.SUM && metric.isMonotonic
  const withUnit = withSuffix(toName(metric.descriptor.name), suffix)
  return counts ? withSuffix(withUnit, '_total') : withUnit
}

const withSuffix = (name: string, suffix: string) => (name.endsWith(suffix) ? name : name + suffix)

const toName = (text: string): string => text.replace(/[^a-zA-Z0-9]+/g, '_').replace(/^(?=\d|$)/, '_')

/** Attributes under names that Prometheus allows. If two attributes get the same name, the first one is shown. */
function toLabels(attributes: Attributes): Record<string, AttributeValue> {
  const labels: Record<string, AttributeValue> = {}
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== null) labels[toName(key)] ??= value
  return labels
}

/** The resource of each reporter, in the way in which OpenTelemetry maps a resource for Prometheus. */
function describeTargets(resources: readonly Attributes[]): MetricData {
  return {
    descriptor: { name: 'target_info', description: 'Target metadata', unit: '', valueType: ValueType.INT },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPointType: DataPointType.GAUGE,
    dataPoints: resources.map(attributes => ({ startTime: NOW, endTime: NOW, attributes, value: 1 })),
  }
}

/** The exposed text contains no times, so any time will do. */
const NOW: HrTime = [0, 0]
