import { performance } from 'node:perf_hooks'
import { checkOptions, durationRule, integerRule, textRule } from '../../lib/cli/checked-options.ts'
import { parseOptions } from '../../lib/cli/command-line.ts'
import { readSampling } from '../../lib/telemetry/otel-environment.ts'
import { describeResource, describeService } from '../../lib/telemetry/resource.ts'
import { agentMemoryMibBounds, apmSocketOption } from '../options.ts'
import { AgentLink } from './agent-link.ts'
import { currentHeaders, currentSpan, followHttpCalls, followRequest, isSuppressed } from './current.ts'
import { offerApi } from './otel-api.ts'
import { Recording } from './recording.ts'
import { followFastify, routeOf } from './routes.ts'
import { Strings } from './strings.ts'

export { type TraceFields, traceFields } from './otel-api.ts'

const METRIC_INTERVAL_MS = 10_000
const GRACE_MS = 3000

export interface InstrumentOptions {
  /** Unix socket of apm-agent; by default that of the variable DMT_APM_SOCKET, or run/apm-agent.sock. */
  readonly socket?: string
  /** Limit on the records that apm-agent has not acknowledged, in MiB; 4 if absent. Further records are dropped. */
  readonly memoryMib?: number
}

export interface Instrumentation {
  /** Numbers of spans that ended, and of those that were lost, since the start. */
  spans(): { readonly emitted: number; readonly dropped: number }
  /**
   * Sends what is left and waits until apm-agent has it, for at most `graceMs` milliseconds; 3000 if absent. The end of the process
   * does so, too.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>
}

const rules = { socket: textRule, memoryMib: integerRule(agentMemoryMibBounds) }
const closeRules = { graceMs: durationRule({}) }

let instrumentation: Instrumentation | undefined

/**
 * Records the requests, calls and runtime of this process for apm-agent, and the spans of its own code. Call it before
 * Fastify and before the first server is created; a second call returns what the first returned. OTEL_SERVICE_NAME,
 * OTEL_RESOURCE_ATTRIBUTES and OTEL_TRACES_SAMPLER have their usual meaning.
 * @throws RangeError if an option has a wrong value
 */
export function instrument(options: InstrumentOptions = {}): Instrumentation {
  const checked = checkOptions('instrument', options, rules)
  instrumentation ??= start(checked)
  return instrumentation
}

function start({ socket, memoryMib = 4 }: InstrumentOptions): Instrumentation {
  const { apmSocket } = parseOptions({ apmSocket: apmSocketOption }, [], process.env).values
  const strings = new Strings()
  const link = new AgentLink({
    path: socket ?? apmSocket,
    sender: { resource: describeResource(describeService()), timeOriginMs: performance.timeOrigin },
    strings,
    memoryBytes: memoryMib * 2 ** 20,
    closeLimitMs: GRACE_MS,
  })
  const recording = new Recording(link, strings, {
    sampling: readSampling(undefined),
    metricIntervalMs: METRIC_INTERVAL_MS,
    currentSpan,
    currentHeaders,
    isSuppressed,
    recordsAll: true,
    follow: followRequest,
    routeOf,
  })
  followHttpCalls()
  followFastify()
  offerApi(recording)
  let closed: Promise<void> | undefined
  const close = ({ graceMs = GRACE_MS } = {}) => {
    const checked = checkOptions('close', { graceMs }, closeRules)
    closed ??= recording.close(checked.graceMs)
    return closed
  }
  process.once('beforeExit', () => {
    if (!closed) void recording.settle()
  })
  // A write to the socket of another process reaches the kernel at once, so these records arrive after the end.
  process.once('exit', () => recording.endNow())
  return { spans: () => recording.counts().spans, close }
}
