import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Composition } from '../app/concerns.ts'
import { steps } from '../app/steps.ts'
import { expectedDemo } from '../loadtest/expected.ts'
import { type StackOptions, startStack } from '../stack/stack.ts'
import type { SupervisedProcess } from '../stack/supervise.ts'

export const FREE_PORTS = [
  'port',
  'admin-port',
  'orders-port',
  'apm-agent-port',
  'logger-transport-port',
].map(name => `--${name}=0`)

/** Gone with the test. */
export function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'stack-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

export function logFlags(t: TestContext): string[] {
  const directory = temporaryDirectory(t)
  return ['--log-file', join(directory, 'app.log'), '--log-dir', join(directory, 'segments')]
}

/** A stack, of the first step unless said otherwise, that ends with the test. */
export async function start(t: TestContext, options: Partial<StackOptions> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'stack-'))
  const logFile = join(directory, 'app.log')
  const logDir = join(directory, 'segments')
  const { composition } = steps[0] as (typeof steps)[0]
  const stack = await startStack({ composition, ...options, app: { logFile, logDir, ...options.app } })
  t.after(async () => {
    await stack.stop()
    rmSync(directory, { recursive: true, force: true })
  })
  const orders = stack.processes.find(({ name }) => name === 'orders') as SupervisedProcess
  return { stack, url: stack.address('app'), logFile, orders }
}

/** Three requests, whose lines and telemetry must all be there once the stack has stopped. */
export async function serveDemo(t: TestContext, composition: Composition): Promise<void> {
  const { stack, url, logFile } = await start(t, { composition })
  for (const seed of [1, 2, 3]) {
    const response = await fetch(`${url}/demo?seed=${seed}`)
    assert.equal(await response.text(), expectedDemo(seed))
  }
  const { logLines, spans, metricPoints } = await stack.stop()
  assert.deepEqual(spans, { emitted: 12, delivered: 12, dropped: 0 })
  assert.ok(metricPoints?.emitted && metricPoints.emitted === metricPoints.delivered)
  assert.equal(logLines?.emitted, 30)
  assert.equal(readFileSync(logFile, 'utf8').trimEnd().split('\n').length, 30)
}
