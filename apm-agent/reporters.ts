import type { Attributes } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import type { MetricData, ResourceMetrics } from '@opentelemetry/sdk-metrics'
import { ATTR_SERVICE_INSTANCE_ID } from '@opentelemetry/semantic-conventions'

const MAX_REPORTERS = 64
const FORGOTTEN_AFTER_MS = 5 * 60_000

/** A process that reports here, however it does. */
export interface Reporter {
  readonly resource: Resource
  describe(): MetricData[]
}

/** All that report, told apart by `service.instance.id`. One that is silent for five minutes is forgotten. */
export class Reporters {
  readonly #byId = new Map<string, { readonly reporter: Reporter; lastSeenMs: number }>()

  /** The reporter with these attributes of a resource, made when it is new. Undefined when there are too many. */
  find<R extends Reporter>(attributes: Attributes, make: () => R): R | undefined {
    this.#forget()
    const known = this.#byId.get(identify(attributes))?.reporter
    if (!known && this.#byId.size >= MAX_REPORTERS) return undefined
    const reporter = (known ?? make()) as R
    this.touch(reporter)
    return reporter
  }

  /** It was heard of just now. */
  touch(reporter: Reporter): void {
    this.#byId.set(identify(reporter.resource.attributes), { reporter, lastSeenMs: Date.now() })
  }

  /** The metrics of now of those reporters that are `wanted`. */
  collect(wanted: (reporter: Reporter) => boolean = () => true): ResourceMetrics[] {
    this.#forget()
    const reporters = [...this.#byId.values()].map(({ reporter }) => reporter).filter(wanted)
    return reporters.map(reporter => ({
      resource: reporter.resource,
      scopeMetrics: [{ scope: { name: 'app' }, metrics: reporter.describe() }],
    }))
  }

  #forget(): void {
    const now = Date.now()
    for (const [id, { lastSeenMs }] of this.#byId)
      if (now - lastSeenMs > FORGOTTEN_AFTER_MS) this.#byId.delete(id)
  }
}

const identify = (attributes: Attributes): string =>
  String(attributes[ATTR_SERVICE_INSTANCE_ID] ?? JSON.stringify(attributes))
