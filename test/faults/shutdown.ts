import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { firstStep } from '../../app/steps.ts'
import { seededRandom } from '../../lib/random.ts'
import { expectRequests } from '../../loadtest/generator/expected-requests.ts'
import { scenarios } from '../../loadtest/generator/scenarios.ts'
import { logPlaces, startStack } from '../stack-parts.ts'
import { type Fault, until } from './fault.ts'
import { askUntilRefused } from './keep-alive-clients.ts'
import { LINES_PER_REQUEST, launchStack } from './loaded-stack.ts'
import { readAll } from './written-lines.ts'

const CLIENTS = 50
const DRAIN_LIMIT_MS = 10_000
const REFUSED = 503
/** One start and one stop take about this long. */
const SECONDS_PER_STOP = 4
/** More than the time that a process has to stop, without the time for which it stays unready. */
const UNREADY_MS = 9000
/** SIGTERM is sent this long after the first answer. */
const LOADED_FOR_MS = { min: 200, max: 1500 }

/** Promises of SIGTERM while the stack has as much load as it can serve. */
export const shutdownFaults: readonly Fault[] = [
  {
    name: 'SIGTERM during full load, again and again',
    seconds: 20 * SECONDS_PER_STOP,
    quickSeconds: 3 * SECONDS_PER_STOP,
    async run(directory, seconds, { seed, progress }) {
      const random = seededRandom(seed)
      const requests = expectRequests({ ...scenarios.demo, seeds: 512 }, 1)
      const times = Math.ceil(seconds / SECONDS_PER_STOP)
      const says: string[] = []
      for (let time = 1; time <= times; time++) {
        const loadedMs = LOADED_FOR_MS.min + random() * (LOADED_FOR_MS.max - LOADED_FOR_MS.min)
        const own = join(directory, String(time))
        mkdirSync(own)
        says.push(await stopUnderLoad(own, loadedMs, requests))
        progress(`${time} of ${times}: ${says.at(-1)}`)
      }
      return `${times} times exit 0, every accepted request answered in full: ${says.join('; ')}`
    },
  },
  {
    name: 'SIGTERM to two instances that stay unready for longer than a stop may otherwise take',
    seconds: UNREADY_MS / 1000,
    quickSeconds: UNREADY_MS / 1000,
    async run(directory) {
      const app = { ...logPlaces(directory), instances: 2, unreadyMs: UNREADY_MS, drainTimeoutMs: 100 }
      const stack = await startStack({ composition: firstStep.composition, app })
      const url = stack.address('app')
      const askedAtMs = performance.now()
      const stopped = stack.stop()
      await until(async () => (await fetch(`${url}/readyz`)).status === 503)
      const { logLines } = await stopped
      const tookMs = performance.now() - askedAtMs
      assert.ok(tookMs >= UNREADY_MS, `it stopped after ${tookMs.toFixed(0)} ms`)
      assert.ok(logLines, 'the app was killed before it told its counts')
      assert.equal(process.exitCode, undefined, 'a process was killed')
      return `not ready for ${UNREADY_MS / 1000} s, then stopped in order`
    },
  },
]

/**
 * Starts a stack, loads it, sends SIGTERM, and checks that the app answered every request that it accepted. Each accepted
 * request has written its log lines.
 */
async function stopUnderLoad(
  directory: string,
  loadedMs: number,
  requests: Parameters<typeof askUntilRefused>[2],
): Promise<string> {
  const stack = launchStack(directory)
  const url = (await stack.line(/^ +try /))
    .split(' ')
    .at(-1)
    ?.replace(/\/page$/, '') as string
  const clients = askUntilRefused(url, CLIENTS, requests)
  await Promise.race([clients.begun, clients.ended])
  await delay(loadedMs)
  const askedAtMs = performance.now()
  clients.serverStops()
  stack.child.kill('SIGTERM')
  assert.deepEqual(await stack.ended, [0, null], stack.lines.join('\n'))
  const drainMs = performance.now() - askedAtMs
  const { good, bad, cut, late } = await clients.ended
  // On a busy machine an app that has just started refuses some requests. A refused request was not accepted.
  delete bad[REFUSED]
  assert.deepEqual({ bad, cut }, { bad: {}, cut: {} }, 'requests were cut off')
  assert.ok(good > 0, 'there was no load')
  assert.ok(drainMs < DRAIN_LIMIT_MS, `it took ${drainMs.toFixed(0)} ms`)
  // Only the lines of requests have this level. Those about overload are warnings.
  const lines = readAll(directory).match(/"level":"info"[^\n]*"requestId"/g)?.length
  assert.equal(lines, good * LINES_PER_REQUEST, 'lines of requests whose clients have no answer')
  return `${good} answers, ${late} sent too late over idle connections, ended in ${drainMs.toFixed(0)} ms`
}
