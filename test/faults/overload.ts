import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { lastStep } from '../../app/steps.ts'
import { percent } from '../../lib/units.ts'
import type { Load, Measurement } from '../../loadtest/generator/protocol.ts'
import { FIRST_SEED } from '../../loadtest/generator/scenarios.ts'
import { startGenerator } from '../../loadtest/sample/generator-process.ts'
import { parseMachine, readProcess } from '../../loadtest/sample/machine.ts'
import { type Stack, startStack } from '../../stack/stack.ts'
import { type Fault, total, until } from './fault.ts'
import { readMetric, residentMiB, signedMiB, startRequests } from './loaded-stack.ts'
import { pipeliningFaults } from './overload-pipelining.ts'

const CLIENTS = 50
/** Connections of an open loop: a server that admits the work of one second never has as many requests at once. */
const CONNECTIONS = 3000
const TIMES_CAPACITY = 3
/** More requests than any machine serves. A capacity that is measured for one second is too rough to multiply. */
const TOO_MANY_PER_SECOND = 3000
const GOODPUT_AT_LEAST = 0.8
const RECOVERY_LIMIT_MS = 5000
/** The default of the app's `requestTimeout`. */
const BUDGET_MS = 10_000
/** Memory may grow by this in the second half of the overload, because the size of a heap always changes a little. */
const MEMORY_MARGIN_MIB = 32
/** In a shorter run the figures are shown but not judged: they depend on how long the process has run. */
const JUDGED_FROM_SECONDS = 10
const NEVER = new AbortController().signal
const FAILED = 'http_response_status_code="500"'

/** Promises that must hold under more load than the service can serve. */
export const overloadFaults: readonly Fault[] = [
  {
    name: 'three times the capacity of the last step',
    seconds: 30,
    quickSeconds: 3,
    alone: 'in full',
    async run(_directory, seconds) {
      const isJudged = seconds >= JUDGED_FROM_SECONDS
      const stack = await startStack({ composition: lastStep.composition })
      const closedMs = Math.min(seconds, 8) * 1000
      const capacity = await putLoad(stack, { kind: 'closed' }, isJudged ? 3000 : 1000, closedMs)

      const timesCapacity = Math.round(TIMES_CAPACITY * capacity.goodPerSecond)
      const ratePerSecond = isJudged ? timesCapacity : Math.max(timesCapacity, TOO_MANY_PER_SECOND)
      const light = startRequests(`${stack.address('app')}/healthz`, 1)
      const open = { kind: 'open', arrivals: 'poisson', ratePerSecond, seed: 1 } as const
      const overloading = putLoad(stack, open, 2000, seconds * 1000)
      await delay(2000 + (seconds * 1000) / 2)
      const memoryMidway = await residentMiB(stack)
      const overload = await overloading
      const grownMiB = (await residentMiB(stack)) - memoryMidway
      const recoveryMs = await timeToServe(stack)
      const { failures } = await light.stop()
      const after = await putLoad(stack, { kind: 'closed' }, 500, closedMs)
      const requests = 'http_server_request_duration_seconds_count'
      const broken = await readMetric(stack.address('apm-agent'), requests, FAILED)
      await stack.stop()

      assert.deepEqual([broken, failures], [0, {}], 'requests failed; light requests failed')
      for (const { wrongBodies } of [capacity, overload, after]) assert.equal(wrongBodies, 0, 'wrong bodies')
      assert.ok(overload.inWindow.refused > 0, 'nothing was refused')
      const cores = (overload.availableShare ?? 1) / (capacity.availableShare ?? 1)
      const share = overload.goodPerSecond / (capacity.goodPerSecond * cores)
      // A short window of an overload may have no good answer to a request that was due in it.
      const { p50, max } = overload.latencyMs
      const says = `${Math.round(capacity.goodPerSecond)}/s at capacity; asked for ${ratePerSecond}/s: \
${Math.round(overload.goodPerSecond)}/s good, ${percent(share)} of what the cores left to it give, in ${Math.round(p50)} ms, \
at most ${Math.round(max)} ms; ${overload.inWindow.refused} refused; memory ${signedMiB(grownMiB)}; recovered in ${recoveryMs.toFixed(0)} ms`
      if (isJudged) {
        assert.equal(capacity.inWindow.refused, 0, `${CLIENTS} clients are no overload: ${says}`)
        const errors = [capacity, overload, after].map(({ inWindow }) => inWindow.error)
        assert.deepEqual(errors, [0, 0, 0], `accepted requests failed: ${says}`)
        assert.ok(max < BUDGET_MS, `answers were late: ${says}`)
        assert.ok(
          recoveryMs < RECOVERY_LIMIT_MS && after.inWindow.refused === 0,
          `it did not recover: ${says}`,
        )
        assert.ok(share >= GOODPUT_AT_LEAST, `goodput collapsed: ${says}`)
        assert.ok(grownMiB < MEMORY_MARGIN_MIB, `memory grew: ${says}`)
      }
      return says
    },
  },
  ...pipeliningFaults,
]

interface Measured extends Measurement {
  readonly goodPerSecond: number
  /** Share of the machine's cores that the stack used or could have used: other processes had the rest. Null without /proc. */
  readonly availableShare: number | null
}

/** Puts load on a stack, from a process of its own. */
async function putLoad(stack: Stack, load: Load, warmupMs: number, durationMs: number): Promise<Measured> {
  const generator = startGenerator(NEVER)
  const order = {
    url: stack.address('app'),
    scenario: 'demo',
    load,
    firstSeed: FIRST_SEED,
    connections: load.kind === 'open' ? CONNECTIONS : CLIENTS,
    warmupMs,
    durationMs,
    usageUrls: { app: `${stack.address('app', 'admin')}/usage` },
  } as const
  let before = readTicks(stack)
  let availableShare: number | null = null
  try {
    const measurement = await generator.measure(order, event => {
      const now = readTicks(stack)
      if (event === 'opened') before = now
      if (event !== 'closed' || !before || !now) return
      const others = now.busy - before.busy - (now.own - before.own) + now.stolen - before.stolen
      availableShare = 1 - Math.max(0, others) / (now.total - before.total)
    })
    const goodPerSecond = (measurement.responses / measurement.durationMs) * 1000
    return { ...measurement, goodPerSecond, availableShare }
  } finally {
    generator.kill()
  }
}

/** CPU time of the machine and of the stack in ticks of the kernel, since the machine started. */
function readTicks({ processes }: Stack) {
  try {
    const own = total(processes.flatMap(({ pid }) => readProcess(pid)).map(({ ticks = 0 }) => ticks))
    return { ...parseMachine(readFileSync('/proc/stat', 'utf8')), own }
  } catch {
    return null
  }
}

async function timeToServe(stack: Stack): Promise<number> {
  const fromMs = performance.now()
  await until(async () => {
    const answer = await fetch(`${stack.address('app')}/demo`)
    await answer.arrayBuffer()
    return answer.ok
  })
  return performance.now() - fromMs
}
