import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { FaultName } from '../../app/faults/switches.ts'
import type { Counts, Signal, SignalCounts } from '../../lib/processes/protocol.ts'
import type { Stack } from '../../stack/stack.ts'
import { until } from './fault.ts'
import { logFiles } from './written-lines.ts'

/** Time in which apm-agent may still receive spans: between the question how many it has, and its death. */
const MOMENT_MS = 1000

type Received = Record<'spans' | 'metricPoints', number>

/**
 * The ledger of a stack whose sidecars are killed. The counts of a killed process are lost with it, so the log
 * lines at the destination are counted, and the counts of apm-agent are read just before it is killed.
 */
export class ChaosLedger {
  readonly #stack: Stack
  readonly #startedAtMs = performance.now()
  /** Spans and metric points that the killed apm-agents had received. */
  readonly #unreported: Received = { spans: 0, metricPoints: 0 }
  #kills = 0

  constructor(stack: Stack) {
    this.#stack = stack
  }

  /** Must be called before each fault. @returns a function to call after the fault has begun */
  async before(fault: FaultName): Promise<() => void> {
    if (fault !== 'kill-agent') return () => {}
    const received = await readReceived(this.#stack.address('apm-agent'))
    return () => {
      this.#kills++
      this.#unreported.spans += received.spans
      this.#unreported.metricPoints += received.metricPoints
    }
  }

  /**
   * Stops the stack and checks that everything emitted was delivered or counted as dropped.
   * @returns the final counts in words
   */
  async close(directory: string): Promise<string> {
    const ledger = (await this.#stack.stop()) as Record<Signal, SignalCounts>
    const seconds = (performance.now() - this.#startedAtMs) / 1000
    const lines = await this.#checkLines(ledger, directory)
    for (const signal of ['spans', 'metricPoints'] as const) {
      const { emitted, delivered, dropped } = ledger[signal]
      const died = emitted - delivered - dropped
      const known = this.#unreported[signal]
      const slack = this.#kills * ((emitted / seconds) * (MOMENT_MS / 1000) + 1)
      const counts = `${emitted} ${signal} emitted, ${delivered} delivered, ${dropped} dropped, ${known} had come to ${this.#kills} killed apm-agents`
      assert.ok(Math.abs(died - known) <= slack, `the ledger is open: ${counts}`)
    }
    const { emitted, delivered, dropped } = ledger.spans
    return `${lines}; of ${emitted} spans ${delivered} delivered, ${dropped} dropped, ${emitted - delivered - dropped} had come to killed apm-agents`
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

/** Reads line by line, because the lines of ten minutes do not fit into one string. */
async function readSequences(directory: string) {
  const seen = new Set<number>()
  let lines = 0
  for (const file of logFiles(directory)) {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const sequence = /"sequence":(\d+)/.exec(line)?.[1]
      if (sequence === undefined) continue
      lines++
      seen.add(Number(sequence))
    }
  }
  return { lines, distinct: seen.size }
}

async function readReceived(url: string): Promise<Received> {
  // apm-agent may be restarting after an earlier fault.
  await until(() =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  const text = await (await fetch(`${url}/metrics`)).text()
  const sum = (name: string) =>
    Array.from(
      text.matchAll(new RegExp(`^apm_agent_${name}_received_total\\{[^}]*\\} (\\d+)$`, 'gm')),
    ).reduce((total, [, count]) => total + Number(count), 0)
  return { spans: sum('spans'), metricPoints: sum('metric_points') }
}
