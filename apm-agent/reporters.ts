import type { Attributes } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import type { MetricData, ResourceMetrics } from '@opentelemetry/sdk-metrics'
import { ATTR_SERVICE_INSTANCE_ID } from '@opentelemetry/semantic-conventions'
import { RunningClock } from '../lib/os/running-time.ts'

const MAX_REPORTERS = 64
const FORGOTTEN_AFTER_MS = 5 * 60_000

/** A process that sends telemetry to apm-agent, by either protocol. */
export interface Reporter {
  readonly resource: Resource
  describe(): MetricData[]
}

interface Known {
  readonly reporter: Reporter
  lastSeenMs: number
  connections: number
}

/**
 * All reporters by `service.instance.id`. A reporter with a connection is kept even if it is silent, because its
 * process may have been stopped. A reporter without one, whose metrics come as OTLP or whose connection is closed, is
 * forgotten after five minutes of silence; only time in which this process ran is counted.
 */
export class Reporters {
  readonly #byId = new Map<string, Known>()
  readonly #clock: Pick<RunningClock, 'nowMs'>

  constructor(clock: Pick<RunningClock, 'nowMs'> = new RunningClock()) {
    this.#clock = clock
  }

  /** The reporter with these resource attributes; a new one is made if necessary. Undefined when there are too many. */
  find<R extends Reporter>(attributes: Attributes, make: () => R): R | undefined {
    return this.#find(attributes, make)?.reporter as R | undefined
  }

  /** Returns the reporter of a connection in the same way. It is not forgotten before `release` is called. */
  connect<R extends Reporter>(
    attributes: Attributes,
    make: () => R,
  ): { readonly reporter: R; release(): void } | undefined {
    const known = this.#find(attributes, make)
    if (!known) return undefined
    known.connections++
    return {
      reporter: known.reporter as R,
      release: () => {
        known.connections--
        known.lastSeenMs = this.#clock.nowMs()
      },
    }
  }

  /** The present metrics of the reporters that `wanted` selects. */
  collect(wanted: (reporter: Reporter) => boolean = () => true): ResourceMetrics[] {
    this.#forget()
    const reporters = [...this.#byId.values()].map(({ reporter }) => reporter).filter(wanted)
    return reporters.map(reporter => ({
      resource: reporter.resource,
      scopeMetrics: [{ scope: { name: 'app' }, metrics: reporter.describe() }],
    }))
  }

  #find(attributes: Attributes, make: () => Reporter): Known | undefined {
    this.#forget()
    const id = identify(attributes)
    const found = this.#byId.get(id)
    if (!found && this.#byId.size >= MAX_REPORTERS) return undefined
    const known = found ?? { reporter: make(), lastSeenMs: 0, connections: 0 }
    known.lastSeenMs = this.#clock.nowMs()
    this.#byId.set(id, known)
    return known
  }

  #forget(): void {
    const nowMs = this.#clock.nowMs()
    for (const [id, { connections, lastSeenMs }] of this.#byId)
      if (connections === 0 && nowMs - lastSeenMs > FORGOTTEN_AFTER_MS) this.#byId.delete(id)
  }
}

const identify = (attributes: Attributes): string =>
  String(attributes[ATTR_SERVICE_INSTANCE_ID] ?? JSON.stringify(attributes))
