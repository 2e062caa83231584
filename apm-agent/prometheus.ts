import type { Attributes, AttributeValue } from '@opentelemetry/api'
import { DataPointType, type MetricData, type ResourceMetrics } from '@opentelemetry/sdk-metrics'
import {
  ATTR_SERVICE_INSTANCE_ID,
  ATTR_SERVICE_NAME,
  ATTR_SERVICE_NAMESPACE,
} from '@opentelemetry/semantic-conventions'
import { createComplaint } from '../lib/cli/terminal.ts'
import { describeFigure, type Figure, toPrometheus } from '../lib/telemetry/prometheus.ts'
import { OWN_SCOPE } from './metrics.ts'

/** Units as Prometheus spells them at the end of a name. A count of things has no unit. */
const suffixes: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' }

/** Names that only apm-agent itself may use. */
const RESERVED = /^(target_info|apm_agent_.*)$/
/** The attributes of a resource that every series has as labels. Its other attributes are those of `target_info`. */
const IDENTITY = [ATTR_SERVICE_NAMESPACE, ATTR_SERVICE_NAME, ATTR_SERVICE_INSTANCE_ID]

/** An instrumentation scope, in the form of OpenTelemetry's exporters, and its attributes. */
export interface Scope {
  readonly name: string
  readonly version?: string
  readonly schemaUrl?: string
  readonly attributes?: Attributes
}

/** How a line on stderr calls a sender without `service.name`. */
export const NAMELESS = 'a service without a name'

const complain = createComplaint()

/**
 * The metrics of all reporters as text for Prometheus. Series of one name differ in the labels of their sender and its
 * instrumentation scope. The text stays valid whatever a reporter sends: names are made valid, and the first of several equal
 * series is shown.
 * @param own what this process says of itself
 */
export function exposeMetrics(collected: readonly ResourceMetrics[], own: readonly Figure[] = []): string {
  const families = new Map<string, MetricData>()
  const shown = new Set<string>()

  function expose(metric: MetricData, labels: Attributes): MetricData[] {
    const name = exposedName(metric)
    const family = families.get(name) ?? metric
    // If two reporters disagree about the type of a metric, the first one counts.
    if (RESERVED.test(name) || family.dataPointType !== metric.dataPointType) return []
    families.set(name, family)
    const dataPoints = metric.dataPoints.flatMap(point => {
      const attributes = { ...toLabels(point.attributes), ...labels }
      // The bound of a bucket is the label of this name.
      if (metric.dataPointType === DataPointType.HISTOGRAM) delete attributes.le
      const key = `${name} ${JSON.stringify(Object.entries(attributes).sort())}`
      if (shown.has(key))
        complain(`warning: /metrics lacks a second ${name} of ${labels.service_name ?? NAMELESS}`)
      return shown.has(key) || !shown.add(key) ? [] : [{ ...point, attributes }]
    })
    const descriptor = { ...metric.descriptor, name, unit: '', description: family.descriptor.description }
    return [{ ...metric, descriptor, dataPoints } as MetricData]
  }

  const scopeMetrics = collected.flatMap(({ resource: { attributes }, scopeMetrics }) =>
    scopeMetrics.map(({ scope, metrics }) => {
      const labels = { ...labelsOf(scope), ...identityLabels(attributes) }
      return { scope, metrics: metrics.flatMap(metric => expose(metric, labels)) }
    }),
  )
  // The resource of each reporter, in the way in which OpenTelemetry maps a resource for Prometheus.
  const targets: Figure = {
    name: 'target_info',
    help: 'Target metadata',
    values: collected.map(({ resource }) => [toLabels(resource.attributes), 1]),
  }
  const ofThisProcess = (figures: readonly Figure[]) => ({
    scope: { name: '' },
    metrics: figures.map(describeFigure),
  })
  return toPrometheus([ofThisProcess([targets]), ...scopeMetrics, ofThisProcess(own)])
}

/** The labels of a scope. Records have none: all are of the same one. */
function labelsOf({ name, version, schemaUrl, attributes = {} }: Scope): Attributes {
  if (name === OWN_SCOPE.name) return {}
  const own = { name, version, schema_url: schemaUrl, ...toLabels(attributes) }
  return Object.fromEntries(
    Object.entries(own).flatMap(([key, value]) => (value ? [[`otel_scope_${key}`, value]] : [])),
  )
}

const identityLabels = (resource: Attributes): Attributes =>
  toLabels(Object.fromEntries(IDENTITY.flatMap(key => (resource[key] ? [[key, String(resource[key])]] : []))))

/**
 * The name by the conventions of Prometheus: with the unit, and with `_total` for a counter. The unit 1 is a ratio for a gauge, as
 * in OpenTelemetry's collector; many libraries give it to what they count.
 */
function exposedName(metric: MetricData): string {
  const { unit, name } = metric.descriptor
  const isRatio = unit === '1' && metric.dataPointType === DataPointType.GAUGE
  const counts = metric.dataPointType === DataPointType.SUM && metric.isMonotonic
  const withUnit = withSuffix(toName(name), isRatio ? '_ratio' : (suffixes[unit] ?? ''))
  return counts ? withSuffix(withUnit, '_total') : withUnit
}

const withSuffix = (name: string, suffix: string) => (name.endsWith(suffix) ? name : name + suffix)

const toName = (text: string): string => text.replace(/[^a-zA-Z0-9]+/g, '_').replace(/^(?=\d|$)/, '_')

/** Attributes under names that Prometheus allows. The values of attributes that get the same name are joined, as OpenTelemetry says. */
function toLabels(attributes: Attributes): Record<string, AttributeValue> {
  const labels: Record<string, AttributeValue> = {}
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined && value !== null)
  for (const [key, value] of given as [string, AttributeValue][]) {
    const name = toName(key)
    labels[name] = name in labels ? `${labels[name]};${value}` : value
  }
  return labels
}
