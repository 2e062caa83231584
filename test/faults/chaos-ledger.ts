import assert from 'node:assert/strict'
import type { Signal, SignalCounts } from '../../lib/processes/protocol.ts'
import type { SpanCounts } from '../otlp-receiver.ts'
import { memberOf, type Stack } from '../stack-parts.ts'
import { until } from './fault.ts'
import { countWaiting } from './loaded-stack.ts'
import { readLines } from './written-lines.ts'

/**
 * Stops a stack whose sidecars were killed. The counts of a killed process are lost with it, so the log lines at their destination
 * and the spans at the collector are counted: each that was not dropped came once or more often, however often a sidecar was killed.
 * @returns the final counts in words
 */
export async function closeLedger(stack: Stack, collector: SpanCounts, directory: string): Promise<string> {
  // Both limits of a stop are too short for a busy machine with a backlog.
  await until(async () => (await countWaiting(memberOf(stack, 'apm-agent'))) === 0)
  const { logLines, spans } = (await stack.stop()) as Record<Signal, SignalCounts>
  const { lines, distinct } = await readSequences(directory)
  const linesSay = `${logLines.emitted} log lines, ${logLines.dropped} dropped, ${lines - distinct} delivered twice`
  assert.equal(distinct, logLines.emitted - logLines.dropped, linesSay)
  const spansSay = `of ${spans.emitted} spans ${spans.dropped} dropped, ${collector.spans} at the collector (${collector.serverSpans} of requests), ${collector.repeated} came twice`
  assert.ok(collector.spans >= spans.emitted - spans.dropped, `spans were lost: ${spansSay}`)
  return `${linesSay}, none lost; ${spansSay}`
}

async function readSequences(directory: string) {
  const seen = new Set<string>()
  let lines = 0
  for await (const line of readLines(directory)) {
    const [numbered] = /"sequence":\d+(,"thread\.id":\d+)?/.exec(line) ?? []
    if (numbered === undefined) continue
    lines++
    seen.add(numbered)
  }
  return { lines, distinct: seen.size }
}
