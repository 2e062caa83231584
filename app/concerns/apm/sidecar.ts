import { performance } from 'node:perf_hooks'
import { AgentLink } from '../../../apm-agent/main-thread/agent-link.ts'
import { Recording } from '../../../apm-agent/main-thread/recording.ts'
import { Strings } from '../../../apm-agent/main-thread/strings.ts'
import { describeResource } from '../../../lib/telemetry/resource.ts'
import { type ThreadCalls, threadCallsOf } from '../../../lib/telemetry/thread-calls.ts'
import { currentSpan } from '../../context.ts'
import type { Apm, CreateApm } from './contract.ts'
import type { RecordValues } from './record-options.ts'

/**
 * Telemetry is collected, aggregated, encoded and exported, usually on the thread whose work it measures. Here the main
 * thread only writes a record of fixed size; the process apm-agent makes metrics and spans of it.
 */
export const createApm: CreateApm<Apm & { calls: ThreadCalls }, RecordValues> = async options => {
  const strings = new Strings()
  const link = new AgentLink({
    path: options.apmSocket,
    sender: { resource: describeResource(options.resource), timeOriginMs: performance.timeOrigin },
    strings,
    memoryBytes: options.apmMemoryMib * 2 ** 20,
    closeLimitMs: 3000,
  })
  const recording = new Recording(link, strings, { ...options, currentSpan })
  return Object.assign(recording, { calls: threadCallsOf(recording) })
}
