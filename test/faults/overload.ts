import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { lastStep } from '../../app/steps.ts'
import { parseOptions } from '../../lib/cli/command-line.ts'
import { percent } from '../../lib/units.ts'
import { samplingOptions, settingsFrom } from '../../loadtest/options.ts'
import { atRates } from '../../loadtest/sample/compared-rows.ts'
import { selectRows } from '../../loadtest/sample/rows.ts'
import { takeSample } from '../../loadtest/sample/take-sample.ts'
import { type Stack, startStack } from '../../stack/stack.ts'
import { memberOf } from '../stack-parts.ts'
import { type Fault, residentMiB, startRequests, until, untilNoneFails } from './fault.ts'
import { pipeliningFaults } from './overload-pipelining.ts'
import { askStack, type Overloaded } from './overload-stack.ts'

const CLIENTS = 50
const TIMES_CAPACITY = 3
/** More requests than any machine serves. A capacity that is measured for one second is too rough to multiply. */
const TOO_MANY_PER_SECOND = 3000
const GOODPUT_AT_LEAST = 0.8
const RECOVERY_LIMIT_MS = 5000
/** The default of the app's `requestTimeout`. */
const BUDGET_MS = 10_000
/** Memory may grow by this in the second half of the overload, because the size of a heap always changes a little. */
const MEMORY_MARGIN_MIB = 32
/** Errors that an accepted request may get on a slow machine: the service gives them in time, and they are not bugs. */
const INTENDED = /^50[34] (DEADLINE_PASSED|ANSWER_LATE|UPSTREAM_\w+)$/
/** In a shorter run the figures are shown but not judged: they depend on how long the process has run. */
const JUDGED_FROM_SECONDS = 10
const HELLO_PER_SECOND = 200
const HELLO_SHARE = 1 / 20
const NEVER = new AbortController().signal

/** Promises that must hold under more load than the service can serve. */
export const overloadFaults: readonly Fault[] = [
  {
    name: 'three times the capacity of the last step',
    seconds: 30,
    company: 'none in full',
    async run(_directory, seconds) {
      const isJudged = seconds >= JUDGED_FROM_SECONDS
      const stack = await startStack({ composition: lastStep.composition })
      const warmupMs = isJudged ? 3000 : 1000
      const closed = { load: { clients: CLIENTS }, warmupMs, durationMs: Math.min(seconds, 8) * 1000 }
      const capacity = await askStack(stack, closed)

      const timesCapacity = Math.round(TIMES_CAPACITY * capacity.goodPerSecond)
      const ratePerSecond = isJudged ? timesCapacity : Math.max(timesCapacity, TOO_MANY_PER_SECOND)
      const light = startRequests(`${stack.address('app')}/healthz`, 1)
      const overloading = askStack(stack, {
        load: { ratePerSecond, seed: 1 },
        warmupMs: 2000,
        durationMs: seconds * 1000,
      })
      await delay(2000 + (seconds * 1000) / 2)
      const memoryMidway = await residentMiB(stack)
      const overload = await overloading
      const grownMiB = (await residentMiB(stack)) - memoryMidway
      const recoveryMs = await timeToServe(stack)
      const { failed: lightFailed } = await light.stop()
      const after = await askStack(stack, { ...closed, warmupMs: 500 })
      await stack.stop()

      for (const { failed, wrongBodies } of [capacity, overload, after]) {
        assert.equal(wrongBodies, 0, 'wrong bodies')
        const unintended = Object.keys(failed).filter(each => !INTENDED.test(each))
        assert.deepEqual(unintended, [], 'requests failed')
      }
      assert.ok(overload.refused > 0, 'nothing was refused')
      assert.equal(lightFailed, 0, 'light requests failed')
      const share = goodputShare(overload, capacity)
      const says = `${Math.round(capacity.goodPerSecond)}/s at capacity; asked for ${ratePerSecond}/s: \
${Math.round(overload.goodPerSecond)}/s good, ${percent(share)} of what the cores left to it give, in ${overload.medianMs.toFixed(0)} ms, \
at most ${overload.slowestMs.toFixed(0)} ms; ${overload.refused} refused; memory ${grownMiB < 0 ? '' : '+'}${grownMiB.toFixed(0)} MiB; recovered in ${recoveryMs.toFixed(0)} ms`
      if (isJudged) {
        assert.equal(capacity.refused, 0, `${CLIENTS} clients are no overload: ${says}`)
        assert.deepEqual(
          [capacity, overload, after].map(({ failed }) => failed),
          [{}, {}, {}],
          `accepted requests failed: ${says}`,
        )
        assert.ok(overload.slowestMs < BUDGET_MS, `answers were late: ${says}`)
        assert.ok(recoveryMs < RECOVERY_LIMIT_MS && after.refused === 0, `it did not recover: ${says}`)
        assert.ok(share >= GOODPUT_AT_LEAST, `goodput collapsed: ${says}`)
        assert.ok(grownMiB < MEMORY_MARGIN_MIB, `memory grew: ${says}`)
      }
      return says
    },
  },
  {
    name: 'fifty clients on /cpu and /page, and /hello 200 times a second beside them',
    seconds: 30,
    company: 'none in full',
    async run(_directory, seconds) {
      const sampling = {
        ...parseOptions(samplingOptions, [], {}).values,
        rounds: 1,
        durationMs: seconds * 500,
      }
      const load = { scenario: 'hello', beside: 'heavy', connections: CLIENTS } as const
      const settings = settingsFrom('isolation', sampling, load)
      const p99s: number[] = []
      for (const row of atRates(selectRows(`0,${lastStep.number}`, undefined, {}), [HELLO_PER_SECOND])) {
        const { latencyMs, otherAnswers, errors, wrongBodies } = await takeSample(row, 1, settings, NEVER)
        const says = `at step ${row.name}`
        assert.deepEqual(otherAnswers, { refused: 0, failed: 0 }, says)
        // These are also of the fifty clients. If other programs need the cores, some pages are refused, or lack a part.
        if (seconds >= JUDGED_FROM_SECONDS) assert.deepEqual([errors, wrongBodies], [0, 0], says)
        p99s.push(latencyMs.p99)
      }
      const [first, last] = p99s as [number, number]
      const says = `p99 ${first.toFixed(0)} ms at step 0, ${last.toFixed(1)} ms at step ${lastStep.number}: 1/${(first / last).toFixed(0)}`
      if (seconds >= JUDGED_FROM_SECONDS) assert.ok(last / first <= HELLO_SHARE, says)
      return says
    },
  },
  {
    name: 'upstream stalled under load: the circuit opens, and closes again',
    seconds: 5,
    company: 'none',
    async run(_directory, seconds) {
      const composition = { ...lastStep.composition, logging: 'none', apm: 'none' } as const
      const stack = await startStack({ composition, app: { ordersTimeoutMs: 500 } })
      const url = `${stack.address('app')}/demo`
      const requests = startRequests(url, CLIENTS)
      await until(() => requests.answers() > 500)
      const orders = memberOf(stack, 'orders')
      orders.signal('SIGSTOP')
      await until(async () => (await codeOf(url)) === 'UPSTREAM_UNAVAILABLE')
      await delay(seconds * 1000)
      orders.signal('SIGCONT')
      const continuedAtMs = performance.now()
      await until(async () => (await codeOf(url)) === undefined)
      const recoveryMs = performance.now() - continuedAtMs
      await requests.stop()
      await untilNoneFails(url, 500, CLIENTS)
      await stack.stop()
      assert.ok(recoveryMs < RECOVERY_LIMIT_MS, `it took ${recoveryMs.toFixed(0)} ms to recover`)
      return `504 first, then 503 at once; served again ${recoveryMs.toFixed(0)} ms after it went on`
    },
  },
  ...pipeliningFaults,
]

/** Goodput under overload, as a share of the goodput at capacity on the cores that other processes left to the stack. */
function goodputShare(overload: Overloaded, capacity: Overloaded): number {
  const cores = (overload.availableShare ?? 1) / (capacity.availableShare ?? 1)
  return overload.goodPerSecond / (capacity.goodPerSecond * cores)
}

async function timeToServe(stack: Stack): Promise<number> {
  const fromMs = performance.now()
  await until(async () => (await codeOf(`${stack.address('app')}/demo`)) === undefined)
  return performance.now() - fromMs
}

/** Asks once. @returns the code of the problem, or undefined if the answer is good */
async function codeOf(url: string): Promise<string | undefined> {
  const response = await fetch(url)
  const body = await response.text()
  return response.ok ? undefined : JSON.parse(body).code
}
