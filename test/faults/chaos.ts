import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { type FaultName, faultNames } from '../../app/server/faults/switches.ts'
import { faultHeaders } from '../../app/server/faults/token.ts'
import { seededRandom, shuffled } from '../../lib/random.ts'
import { startSpanReceiver } from '../otlp-receiver.ts'
import { logPlaces, type Stack, startStack } from '../stack-parts.ts'
import { closeLedger } from './chaos-ledger.ts'
import { askMix, Clients, type Tally } from './clients.ts'
import { type Fault, renderTally, total, until } from './fault.ts'
import { residentMiB, switchFault } from './loaded-stack.ts'
import { step } from './protocol.ts'

const CLIENTS = 50
const SHARE_OF_CAPACITY = 0.8
const BUDGET_MS = 10_000
/** The extra time for an answer after the time budget of its request, on a busy machine. */
const MARGIN_MS = 2000
const INTERVAL_MS = 5000
/** A short run has shorter intervals, so that it has at least this number of faults. */
const FAULTS_AT_LEAST = 4
const LASTS_MS = { min: 500, max: 4000 }
/** After this time the heaps have grown to the size that the load needs. */
const SETTLED_AFTER_SECONDS = 120
const MEMORY_MARGIN = 0.1
/**
 * The lowest reading of a minute counts, with one reading a second: faults hold memory for a while, but a leak does not
 * give it back.
 */
const READINGS = 60

/** Switches all faults on at random times and in random order. */
export const chaosFaults: readonly Fault[] = [
  {
    name: 'one after the other at random, at 80 % of capacity',
    seconds: 600,
    quickSeconds: 30,
    alone: 'always',
    async run(directory, seconds, { seed, progress }) {
      const receiver = await startSpanReceiver()
      const stack = await startStack({
        composition: { ...step.composition, logging: 'sidecar', apm: 'sidecar', rendering: 'threads' },
        app: {
          ...logPlaces(directory),
          faults: true,
          requestTimeoutMs: BUDGET_MS,
        },
        apmAgent: { collectorUrl: receiver.url },
        loggerTransport: { keptFiles: 100_000 },
      })
      const clients = new Clients(stack.address('app'), askMix(), BUDGET_MS + MARGIN_MS)
      const measuredMs = Math.min(5000, seconds * 250)
      const capacity = await clients.measureCapacity(CLIENTS, measuredMs, measuredMs)
      const ratePerSecond = SHARE_OF_CAPACITY * capacity
      progress(
        `capacity ${capacity.toFixed(0)}/s, so ${ratePerSecond.toFixed(0)} requests a second; seed ${seed}`,
      )
      const stopLoad = clients.startOpenLoop(ratePerSecond, seed)
      const stopReading = watchMemory(stack)
      const faults = await breakThings({ stack, seconds, seed, progress, tally: clients.tally })
      await stopLoad()
      const grown = stopReading()
      const ends = await closeLedger(stack, receiver.counts, directory)
      receiver.close()
      judge(clients.tally)
      const memorySays = grown === undefined ? '' : `memory × ${grown.toFixed(2)} since minute two; `
      assert.ok(grown === undefined || grown <= 1 + MEMORY_MARGIN, memorySays)
      return `${faults} faults; ${describeTally(clients.tally)}; ${memorySays}${ends}`
    },
  },
]

interface Breaking {
  readonly stack: Stack
  readonly seconds: number
  readonly seed: number
  readonly tally: Tally
  progress(says: string): void
}

/** Switches each fault on once, in random order, and repeats this, so that no fault is left out or frequent. */
async function breakThings({ stack, seconds, seed, tally, progress }: Breaking): Promise<number> {
  const random = seededRandom(seed)
  const intervalMs = Math.min(INTERVAL_MS, (seconds * 1000) / FAULTS_AT_LEAST)
  const longestMs = Math.min(LASTS_MS.max, intervalMs)
  const endsAtMs = performance.now() + seconds * 1000
  let deck: FaultName[] = []
  let faults = 0
  for (let nextAtMs = performance.now(); nextAtMs + intervalMs <= endsAtMs; nextAtMs += intervalMs) {
    await delay(Math.max(0, nextAtMs - performance.now()))
    if (deck.length === 0) deck = shuffled(faultNames, random)
    const name = deck.pop() as FaultName
    const forMs = Math.round(LASTS_MS.min + random() * (longestMs - LASTS_MS.min))
    const answer = await switchFault(stack, 'POST', name, `${forMs}ms`)
    const refusal = answer.ok ? '' : ` refused: ${((await answer.json()) as { detail: string }).detail}`
    if (answer.ok) faults++
    progress(`${name} for ${(forMs / 1000).toFixed(1)} s${refusal}; so far ${describeTally(tally)}`)
  }
  await delay(Math.max(0, endsAtMs - performance.now()))
  await until(async () => {
    const answer = await fetch(`${stack.address('app', 'admin')}/faults`, { headers: faultHeaders() })
    const on = (await answer.json()) as { remainingMs: number | null }[]
    return on.every(({ remainingMs }) => remainingMs === null)
  })
  return faults
}

function judge({ good, failed, wrong, hung, slowestMs }: Tally): void {
  assert.deepEqual(wrong, {}, 'answers that nothing explains')
  assert.equal(hung, 0, `${hung} requests took up to ${slowestMs.toFixed(0)} ms`)
  const failures = total(Object.values(failed))
  assert.ok(good > failures, `${failures} requests failed, and ${good} did not`)
}

const describeTally = ({ good, withFallbacks, failed, slowestMs }: Tally): string =>
  `${good} right answers, ${withFallbacks} pages with fallbacks, ${renderTally(failed)} failed, none took over ${(slowestMs / 1000).toFixed(1)} s`

/**
 * Reads the resident memory of the app once a second.
 * @returns ends that, and returns the lowest memory at the end over that after settling; undefined if the run was too short
 */
function watchMemory(stack: Stack): () => number | undefined {
  const readings: number[] = []
  const read = () => residentMiB(stack).then(mib => readings.push(mib))
  const timer = setInterval(() => read().catch(() => {}), 1000)
  return () => {
    clearInterval(timer)
    if (readings.length < SETTLED_AFTER_SECONDS + READINGS) return undefined
    const settled = readings.slice(SETTLED_AFTER_SECONDS - READINGS, SETTLED_AFTER_SECONDS)
    return Math.min(...readings.slice(-READINGS)) / Math.min(...settled)
  }
}
