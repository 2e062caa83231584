import type { Attributes } from '@opentelemetry/api'
import { ATTR_SERVICE_INSTANCE_ID } from '@opentelemetry/semantic-conventions'
import type { Counts } from '../lib/processes/protocol.ts'

type Delivered = Record<'spans' | 'metricPoints', number>
type ByProtocol = Record<'records' | 'otlp', number>
/** Why received bytes are no frame that this version understands. */
export type FrameFault = 'garbage' | 'version' | 'size' | 'content' | 'limit' | 'partial'

type DecodeError = FrameFault | 'otlp'

/** Deliveries are counted separately for at most this number of instances; the oldest are forgotten. */
const MAX_INSTANCES = 256

/** All counts of apm-agent itself. */
export class AgentCounts {
  readonly spans: ByProtocol = { records: 0, otlp: 0 }
  readonly metricPoints: ByProtocol = { records: 0, otlp: 0 }
  /** Items of apps that were malformed. */
  readonly dropped: Record<keyof Delivered, number> = { spans: 0, metricPoints: 0 }
  /** Records of any kind, sampled or not. */
  records = 0
  /** Frames that were sent again over a new connection and were not counted twice. */
  repeatedFrames = 0
  /** Spans of frames that an earlier apm-agent had received and may have exported. */
  resentSpans = 0
  connections = 0
  readonly decodeErrors: Record<DecodeError, number> = {
    garbage: 0,
    version: 0,
    size: 0,
    content: 0,
    limit: 0,
    partial: 0,
    otlp: 0,
  }

  readonly #byInstance = new Map<string, Delivered>()

  /** Counts items that came from the app instance with this resource. */
  add(
    signal: keyof Delivered,
    protocol: keyof ByProtocol,
    { [ATTR_SERVICE_INSTANCE_ID]: instance }: Attributes,
    count: number,
  ): void {
    this[signal][protocol] += count
    const delivered = this.deliveredBy(String(instance))
    this.#byInstance.set(String(instance), { ...delivered, [signal]: delivered[signal] + count })
    if (this.#byInstance.size > MAX_INSTANCES)
      this.#byInstance.delete(this.#byInstance.keys().next().value as string)
  }

  /** The items that came from one app instance. */
  deliveredBy(instance: string): Readonly<Delivered> {
    return this.#byInstance.get(instance) ?? { spans: 0, metricPoints: 0 }
  }

  /** The counts for the ledger of the stack. */
  delivered(): Counts {
    return {
      spans: { delivered: this.spans.records + this.spans.otlp, dropped: this.dropped.spans },
      metricPoints: {
        delivered: this.metricPoints.records + this.metricPoints.otlp,
        dropped: this.dropped.metricPoints,
      },
    }
  }
}
