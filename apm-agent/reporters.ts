import type { Attributes } from '@opentelemetry/api'
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics'
import { RunningClock } from '../lib/os/running-time.ts'

const MAX_REPORTERS = 64
const FORGOTTEN_AFTER_MS = 5 * 60_000

/** A process that sends telemetry to apm-agent, by either protocol. */
export interface Reporter {
  /** Its present metrics. */
  collect(): ResourceMetrics
}

interface Known {
  readonly reporter: Reporter
  lastSeenMs: number
  connections: number
}

/**
 * All reporters by protocol and whole resource. A reporter with a connection is kept even if it is silent, because its
 * process may have been stopped. A reporter without one, whose metrics come as OTLP or whose connection is closed, is
 * forgotten after five minutes of silence; only time in which this process ran is counted.
 */
export class Reporters {
  readonly clock: Pick<RunningClock, 'nowMs'>
  readonly #byId = new Map<string, Known>()

  constructor(clock: Pick<RunningClock, 'nowMs'> = new RunningClock()) {
    this.clock = clock
  }

  /** The reporter with these resource attributes; a new one is made if necessary. Undefined when there are too many. */
  find<R extends Reporter>(protocol: 'records' | 'otlp', attributes: Attributes, make: () => R) {
    return this.#find(protocol, attributes, make)?.reporter as R | undefined
  }

  /** Returns the reporter of a connection in the same way. It is not forgotten before `release` is called. */
  connect<R extends Reporter>(
    attributes: Attributes,
    make: () => R,
  ): { readonly reporter: R; release(): void } | undefined {
    const known = this.#find('records', attributes, make)
    if (!known) return undefined
    known.connections++
    return {
      reporter: known.reporter as R,
      release: () => {
        known.connections--
        known.lastSeenMs = this.clock.nowMs()
      },
    }
  }

  /** The present metrics of the reporters that `wanted` selects. */
  collect(wanted: (reporter: Reporter) => boolean = () => true): ResourceMetrics[] {
    this.#forget()
    const reporters = [...this.#byId.values()].map(({ reporter }) => reporter)
    return reporters.filter(wanted).map(reporter => reporter.collect())
  }

  #find(protocol: string, attributes: Attributes, make: () => Reporter): Known | undefined {
    this.#forget()
    const id = protocol + identityOf(attributes)
    const found = this.#byId.get(id)
    if (!found && this.#byId.size >= MAX_REPORTERS) return undefined
    const known = found ?? { reporter: make(), lastSeenMs: 0, connections: 0 }
    known.lastSeenMs = this.clock.nowMs()
    this.#byId.set(id, known)
    return known
  }

  #forget(): void {
    const nowMs = this.clock.nowMs()
    for (const [id, { connections, lastSeenMs }] of this.#byId)
      if (connections === 0 && nowMs - lastSeenMs > FORGOTTEN_AFTER_MS) this.#byId.delete(id)
  }
}

/** The same text for the same attributes in any order. */
const identityOf = (attributes: Attributes): string => JSON.stringify(Object.entries(attributes).sort())
