import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import type { Composition } from '../app/concerns.ts'
import { steps } from '../app/steps.ts'
import { toFlags } from '../lib/cli/command-line.ts'
import { expectedDemo } from '../loadtest/generator/expected.ts'
import type { StackOptions } from '../stack/stack-options.ts'
import { gone } from './run-command.ts'
import { logPlaces, memberOf, type Stack, startStack } from './stack-parts.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** Flags of a stack that runs beside others. Each pool has one thread, which starts faster than several. */
export function frugalFlags(t: TestContext): string[] {
  const directory = temporaryDirectory(t)
  return toFlags({ ...logPlaces(directory), apmSocket: join(directory, 'agent.sock'), threads: 1 })
}

/** Starts a stack, of the first step by default, with one thread in each pool. It ends with the test. */
export async function start(t: TestContext, options: Partial<StackOptions> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'stack-'))
  const places = logPlaces(directory)
  const { composition } = steps[0] as (typeof steps)[0]
  const stack = await startStack({ composition, ...options, app: { ...places, threads: 1, ...options.app } })
  t.after(async () => {
    await stack.stop()
    rmSync(directory, { recursive: true, force: true })
  })
  return { stack, url: stack.address('app'), logFile: places.logFile, orders: memberOf(stack, 'orders') }
}

/**
 * Makes three requests, and stops the stack while it answers a fourth. Asserts that all are answered, that all lines and all telemetry
 * were delivered, that no process is left, and that no process wrote a warning.
 */
export async function serveDemo(t: TestContext, composition: Composition): Promise<void> {
  const { mock: stderr } = t.mock.method(process.stderr, 'write', () => true)
  const { stack, url, logFile } = await start(t, { composition, echo: true, orders: { latencyMs: 200 } })
  for (const seed of [1, 2, 3]) {
    const response = await fetch(`${url}/demo?seed=${seed}`)
    assert.equal(await response.text(), expectedDemo(seed))
  }
  assert.equal(await answerDuringStop(stack, '/demo?seed=4'), expectedDemo(4))
  const { logLines, spans, metricPoints } = await stack.stop()
  // A request for /hello has a single one.
  assert.deepEqual(spans, { emitted: 17, delivered: 17, dropped: 0, rejected: 0 })
  assert.ok(metricPoints?.emitted && metricPoints.emitted === metricPoints.delivered)
  assert.equal(logLines?.emitted, 40)
  assert.equal(readFileSync(logFile, 'utf8').trimEnd().split('\n').length, 40)
  assert.deepEqual(
    stderr.calls.map(call => call.arguments[0]),
    [],
  )
}

/** Stops a stack once it has received a request. @returns the body of the answer, after all processes have ended */
export async function answerDuringStop(stack: Stack, path: string): Promise<string> {
  const url = stack.address('app')
  const asked = get(url + path)
  const response = once(asked, 'response')
  await once(asked, 'finish')
  // An answer to a later request shows that this one has arrived.
  await fetch(`${url}/hello`)
  const stopped = stack.stop()
  const [answer] = await response
  assert.equal(answer.statusCode, 200)
  const body = await text(answer)
  await stopped
  await assert.rejects(fetch(`${url}/hello`))
  await Promise.all(stack.processes.map(({ pid }) => gone(pid)))
  return body
}
