import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Composition } from '../app/concerns.ts'
import { steps } from '../app/steps.ts'
import { toFlags } from '../lib/cli/command-line.ts'
import { expectedDemo } from '../loadtest/generator/expected.ts'
import { startStack } from '../stack/stack.ts'
import type { StackOptions } from '../stack/stack-options.ts'
import { memberOf } from './member-of.ts'
import { logPlaces } from './places.ts'

/** Makes a directory that is removed after the test. */
export function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'stack-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

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
 * Makes three requests, stops the stack, and asserts that all lines and all telemetry were delivered, and that no process
 * wrote a warning.
 */
export async function serveDemo(t: TestContext, composition: Composition): Promise<void> {
  const { mock: stderr } = t.mock.method(process.stderr, 'write', () => true)
  const { stack, url, logFile } = await start(t, { composition, echo: true })
  for (const seed of [1, 2, 3]) {
    const response = await fetch(`${url}/demo?seed=${seed}`)
    assert.equal(await response.text(), expectedDemo(seed))
  }
  const { logLines, spans, metricPoints } = await stack.stop()
  assert.deepEqual(spans, { emitted: 12, delivered: 12, dropped: 0, rejected: 0 })
  assert.ok(metricPoints?.emitted && metricPoints.emitted === metricPoints.delivered)
  assert.equal(logLines?.emitted, 30)
  assert.equal(readFileSync(logFile, 'utf8').trimEnd().split('\n').length, 30)
  assert.deepEqual(
    stderr.calls.map(call => call.arguments[0]),
    [],
  )
}
