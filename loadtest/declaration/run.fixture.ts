import { steps } from '../../app/steps.ts'
import type { Results } from '../outcome/results.ts'
import { summarizeRows } from '../outcome/summarize.ts'
import { atLoads } from '../sample/compared-rows.ts'
import { type Row, rowOf } from '../sample/rows.ts'
import type { Sample } from '../sample/sample.ts'

/**
 * An invented run of the first and the last step, in a closed loop and on a schedule.
 * @param rates requests a second
 */
export function makeRun(rates: readonly number[]): Results {
  const [first, last] = [steps[0], steps.at(-1)].map(step => rowOf(step as (typeof steps)[number], {})) as [
    Row,
    Row,
  ]
  const loads = rates.map(ratePerSecond => ({ name: `${ratePerSecond}/s`, ratePerSecond }))
  const rows = [first, last, ...atLoads([first, last], loads)]
  const samples = new Map(rows.map(row => [row, [sampleOf(row)]]))
  return {
    schemaVersion: 1,
    environment: {
      node: 'v26.0.0',
      v8: '14',
      os: 'Linux',
      cpu: 'invented',
      cores: 2,
      commit: null,
      date: '2026-01-01T00:00:00.000Z',
    },
    settings: {
      arguments: [],
      command: 'run',
      scenario: 'demo',
      connections: 50,
      threads: 1,
      rounds: 1,
      seed: 1,
      warmupSeconds: 2,
      durationSeconds: 4,
      beside: null,
      budgetSeconds: null,
      spectrum: false,
      baseline: 'previous',
      capacity: [660],
    },
    steps: summarizeRows(rows, samples),
  }
}

/** Costs fall with the load; those of the monolith are all on its main thread. */
function sampleOf({ composition, ratePerSecond }: Row): Sample {
  const isMonolith = composition.compute === 'inline'
  const cold = ratePerSecond === undefined ? 1 : ratePerSecond < 100 ? 1.7 : 1.2
  const mainThreadMicros = (isMonolith ? 1500 : 190) * cold
  const goodput = ratePerSecond ?? (isMonolith ? 660 : 860)
  const latency = { p50: 3, p90: 4, p99: 6, max: 9 }
  const closed = { p50: 50_000 / goodput, p90: 80, p99: 50_000 / goodput + 25, max: 110 }
  const latencyMs = ratePerSecond === undefined ? closed : latency
  const ledger = { emitted: 1, delivered: 1, dropped: 0, rejected: 0 }
  return {
    round: 1,
    valid: true,
    reason: null,
    noise: null,
    responses: 2000,
    goodput,
    otherAnswers: { refused: 0, failed: 0 },
    mainThreadMicros,
    wakeups: 2,
    allocatedBytes: 1000,
    collectionsPerResponse: 0.01,
    totalMicros: 1600 * cold,
    mainThreadUtilization: (mainThreadMicros * goodput) / 1e6,
    latencyMs,
    firstByteMs: latencyMs,
    latenessMs: null,
    errors: 0,
    wrongBodies: 0,
    memoryMiB: 250,
    machine: null,
    besideGoodput: null,
    besideLatencyMs: null,
    ledger: { logLines: ledger, spans: ledger, metricPoints: ledger },
  }
}
