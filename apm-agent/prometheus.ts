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

/** Units as Prometheus spells them at the end of a name; what is counted in things of its own has none. */
const suffixes: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes', '1': '_ratio' }

/** Names that are the agent's own. */
const RESERVED = /^(target_info|apm_agent_.*)$/
const INSTANCE_LABEL = 'service_instance_id'

const serializer = new PrometheusSerializer('', false, undefined, true, true)

/** Labelled points of one name. */
interface Family {
  readonly metric: MetricData
  readonly points: Map<string, MetricData['dataPoints'][number]>
}

/**
 * The metrics of all reporters as Prometheus's text: a family once, its points told apart by the instance. Whatever a
 * reporter says, the text stays valid: names are made so, and what is there twice is shown once.
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
  // Two reporters that disagree on what a metric is: the first is believed.
  if (family.metric.dataPointType !== metric.dataPointType) return
  families.set(name, family)
  for (const point of metric.dataPoints) {
    const { [INSTANCE_LABEL]: _, ...labels } = toLabels(point.attributes)
    const attributes = { ...labels, [INSTANCE_LABEL]: instance }
    const key = JSON.stringify(Object.entries(attributes).sort())
    if (!family.points.has(key)) family.points.set(key, { ...point, attributes })
  }
}

/** By the conventions of Prometheus, with the unit, and `_total` where it counts. */
function exposedName(metric: MetricData): string {
  const suffix = suffixes[metric.descriptor.unit] ?? ''
  const counts = metric.dataPointType === DataPointType.SUM && metric.isMonotonic
  const withUnit = withSuffix(toName(metric.descriptor.name), suffix)
  return counts ? withSuffix(withUnit, '_total') : withUnit
}

const withSuffix = (name: string, suffix: string) => (name.endsWith(suffix) ? name : name + suffix)

const toName = (text: string): string => text.replace(/[^a-zA-Z0-9]+/g, '_').replace(/^(?=\d|$)/, '_')

/** Attributes under names that Prometheus allows; of two that become the same the first is shown. */
function toLabels(attributes: Attributes): Record<string, AttributeValue> {
  const labels: Record<string, AttributeValue> = {}
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== null) labels[toName(key)] ??= value
  return labels
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
