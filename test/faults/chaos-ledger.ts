import assert from 'node:assert/strict'
import type { FaultName } from '../../app/server/faults/switches.ts'
import type { Counts, Signal, SignalCounts } from '../../lib/processes/protocol.ts'
import type { SpanCounts } from '../otlp-receiver.ts'
import { memberOf, type Stack } from '../stack-parts.ts'
import { countWaiting } from './apm-stack.ts'
import { until } from './fault.ts'
import { readMetric } from './loaded-stack.ts'
import { readLines } from './written-lines.ts'

/**
 * The app reads its metrics at this interval. A reading is sent again if apm-agent dies before it acknowledges it, and
 * one may arrive between the question how many points apm-agent has, and its death.
 */
const READING_SECONDS = 10

/**
 * The ledger of a stack whose sidecars are killed. The counts of a killed process are lost with it, so the log lines at
 * their destination and the spans at the collector are counted.
 */
export class ChaosLedger {
  readonly #stack: Stack
  readonly #startedAtMs = performance.now()
  readonly #collector: SpanCounts
  /** Metric points that the killed apm-agents had received. */
  #unreportedPoints = 0
  #kills = 0

  /** @param collector the counts of the collector to which apm-agent exports */
  constructor(stack: Stack, collector: SpanCounts) {
    this.#stack = stack
    this.#collector = collector
  }

  /** Must be called before each fault. @returns a function to call after the fault has begun */
  async before(fault: FaultName): Promise<() => void> {
    if (fault !== 'kill-agent') return () => {}
    const points = await readReceivedPoints(this.#stack.address('apm-agent'))
    return () => {
      this.#kills++
      this.#unreportedPoints += points
    }
  }

  /**
   * Stops the stack and checks that everything emitted was delivered or counted as dropped.
   * @returns the final counts in words
   */
  async close(directory: string): Promise<string> {
    // Both limits of a stop are too short for a busy machine with a backlog.
    await until(async () => (await countWaiting(memberOf(this.#stack, 'apm-agent'))) === 0)
    const ledger = (await this.#stack.stop()) as Record<Signal, SignalCounts>
    const seconds = (performance.now() - this.#startedAtMs) / 1000
    const lines = await this.#checkLines(ledger, directory)
    this.#checkPoints(ledger.metricPoints, seconds)
    return `${lines}; ${this.#checkSpans(ledger.spans)}`
  }

  /** Asserts that the collector got each span that was not dropped at least once, however often apm-agent was killed. */
  #checkSpans({ emitted, dropped }: SignalCounts): string {
    const { spans, serverSpans, repeated } = this.#collector
    const counts = `of ${emitted} spans ${dropped} dropped, ${spans} at the collector (${serverSpans} of requests), ${repeated} came twice; ${this.#kills} kills of apm-agent`
    assert.ok(spans >= emitted - dropped, `spans were lost: ${counts}`)
    return counts
  }

  #checkPoints({ emitted, delivered, dropped }: SignalCounts, seconds: number): void {
    const died = emitted - delivered - dropped
    const slack = this.#kills * ((emitted / seconds) * READING_SECONDS + 1)
    const counts = `${emitted} metric points emitted, ${delivered} delivered, ${dropped} dropped, ${this.#unreportedPoints} had come to ${this.#kills} killed apm-agents`
    assert.ok(Math.abs(died - this.#unreportedPoints) <= slack, `the ledger is open: ${counts}`)
  }

  /** Asserts that each line was delivered at least once. A restarted transport delivers lines after its checkpoint again. */
  async #checkLines({ logLines }: Counts, directory: string): Promise<string> {
    const { emitted = 0, dropped = 0 } = logLines ?? {}
    const { lines, distinct } = await readSequences(directory)
    assert.equal(
      distinct,
      emitted - dropped,
      `of ${emitted} log lines ${dropped} dropped, ${distinct} delivered`,
    )
    return `${emitted} log lines, ${dropped} dropped, ${lines - distinct} delivered twice, none lost`
  }
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

async function readReceivedPoints(url: string): Promise<number> {
  let points = Number.NaN
  // apm-agent may be restarting after an earlier fault.
  await until(async () => {
    points = await readMetric(url, 'apm_agent_metric_points_received_total').catch(() => Number.NaN)
    return !Number.isNaN(points)
  })
  return points
}
