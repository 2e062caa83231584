import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { firstStep, type Step, steps } from '../../app/steps.ts'
import { patience } from '../../app/test-options.fixture.ts'
import { expectRequests } from '../../loadtest/generator/expected-requests.ts'
import { scenarios } from '../../loadtest/generator/scenarios.ts'
import { findGap, readLedger } from '../../loadtest/sample/ledger.ts'
import { logPlaces, startStack } from '../stack-parts.ts'
import { type Fault, until } from './fault.ts'
import { askUntilRefused } from './keep-alive-clients.ts'
import { patient, residentMiB } from './loaded-stack.ts'

const CLIENTS = 50
/** A flip and the load after it take about this long. */
const SECONDS_PER_FLIP = 3
const LOADED_FOR_MS = 500
/** No line may be deleted before the lines are counted. */
const KEEP_ALL = 100_000
const REFUSED = 503
const LINES_PER_DEMO = 10
/** An app of the same step may have this much more memory at the end, because heaps differ from run to run. */
const GROWTH = 1.3

/** Promises of a stack whose app is replaced while it has as much load as it can serve. */
export const stageFaults: readonly Fault[] = [
  {
    name: 'the app is replaced under full load, up the steps and down',
    seconds: 20 * SECONDS_PER_FLIP,
    quickSeconds: 4 * SECONDS_PER_FLIP,
    async run(directory, seconds, { progress }) {
      const flips = Math.ceil(seconds / SECONDS_PER_FLIP)
      const order = upAndDown(flips)
      const stack = await startStack({
        composition: firstStep.composition,
        compositions: steps.map(({ composition }) => composition),
        app: { ...logPlaces(directory), ...patience, ...patient },
        loggerTransport: { keptFiles: KEEP_ALL },
      })
      const requests = expectRequests({ ...scenarios.demo, seeds: 512 }, 1)
      const clients = askUntilRefused(stack.address('app'), CLIENTS, requests)
      const tookMs: number[] = []
      const memoryMiB = new Map<Step, number>()
      await clients.begun
      for (const step of order) {
        const startedAtMs = performance.now()
        await stack.replaceApp(step.composition)
        tookMs.push(performance.now() - startedAtMs)
        const { good } = clients.tally
        await delay(LOADED_FOR_MS)
        await until(() => clients.tally.good > good)
        const { cut, refused } = clients.tally
        const bad = withoutRefusals(clients.tally.bad)
        assert.deepEqual({ bad, cut, refused }, { bad: {}, cut: {}, refused: 0 }, `at step ${step.number}`)
        const [before, now] = [memoryMiB.get(step), await residentMiB(stack)]
        memoryMiB.set(step, before ?? now)
        assert.ok(now < (before ?? now) * GROWTH, `step ${step.number}: ${before} MiB, then ${now} MiB`)
        progress(`${tookMs.length} of ${flips}: to step ${step.number} in ${tookMs.at(-1)?.toFixed(0)} ms`)
      }
      clients.serverStops()
      const ledger = await readLedger(await stack.stop(), directory)
      const { good, bad, cut } = await clients.ended
      assert.deepEqual({ bad: withoutRefusals(bad), cut }, { bad: {}, cut: {} }, 'requests failed at the end')
      assert.equal(findGap(ledger, firstStep), null)
      assert.ok(ledger.logLines.delivered >= good * LINES_PER_DEMO, 'log lines are missing')
      return `${flips} flips, each in ${Math.max(...tookMs).toFixed(0)} ms at most; ${good} requests, every one answered rightly, ${bad[REFUSED] ?? 0} refused; the ledger closes`
    },
  },
]

/** The steps up to the last and down to the first, again and again, beginning with the second. */
const upAndDown = (length: number): Step[] => {
  const circle = [...steps.slice(1), ...steps.slice(1, -1).reverse(), ...steps.slice(0, 1)]
  return Array.from({ length }, (_, index) => circle[index % circle.length] as Step)
}

/** On a busy machine an app that has just started refuses some requests. That is overload protection and no failure. */
const withoutRefusals = ({ [REFUSED]: _, ...others }: Readonly<Record<string, number>>) => others
