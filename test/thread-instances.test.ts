import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import type { InstancesUsage } from '../app/server/instances/usage.ts'
import { lastStep } from '../app/steps.ts'
import { patience } from '../app/test-options.fixture.ts'
import { expectedDemo } from '../loadtest/generator/expected.ts'
import { until } from './faults/fault.ts'
import { runCommand } from './run-command.ts'
import { frugalFlags, start } from './start-stack.ts'

/** Makes a request over a new connection, which the kernel gives to one of the threads. */
const askAnew = (url: string) =>
  new Promise<string>((resolve, reject) => {
    get(url, { agent: false }, response => resolve(text(response))).on('error', reject)
  })

const asThreads = { instances: 2, instancesAs: 'threads' } as const

describe('an app of two instances that are threads', () => {
  test('answers from both, tells what it used, is not ready when it is stopped, and loses no line and no telemetry', async t => {
    const { stack, url, logFile } = await start(t, {
      composition: lastStep.composition,
      app: { ...patience, ...asThreads, unreadyMs: 500 },
    })
    const usage = async () =>
      (await (await fetch(`${stack.address('app', 'admin')}/usage`)).json()) as InstancesUsage
    const idle = await usage()
    const seeds = Array.from({ length: 40 }, (_, index) => index + 1)
    const answers = await Promise.all(seeds.map(seed => askAnew(`${url}/demo?seed=${seed}`)))
    assert.deepEqual(answers, seeds.map(expectedDemo))

    const { mainThread, total, primary, instances } = await usage()
    for (const [index, instance] of instances.entries())
      assert.ok(instance.mainThread.cpuMicros > (idle.instances[index]?.mainThread.cpuMicros ?? Number.NaN))
    const threads = instances.reduce((sum, instance) => sum + instance.mainThread.cpuMicros, 0)
    assert.equal(mainThread.cpuMicros, threads)
    assert.ok(total.cpuMicros >= threads + primary.cpuMicros)
    assert.ok(total.cpuMicros < 2 * (instances[0]?.total.cpuMicros as number), 'the process counts once')

    const stopped = stack.stop()
    let polls = 0
    // SIGTERM gets only to the main thread.
    await until(async () => {
      polls++
      return (await fetch(`${url}/readyz`)).status === 503
    })
    const { logLines, spans, metricPoints } = await stopped
    assert.deepEqual(spans, { emitted: 160 + polls, delivered: 160 + polls, dropped: 0, rejected: 0 })
    assert.ok(metricPoints?.emitted && metricPoints.emitted === metricPoints.delivered)
    const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n')
    // One more says that the app was not ready.
    assert.deepEqual([logLines?.emitted, lines.length], [401, 401])
    assert.equal(new Set(lines.map(line => JSON.parse(line).instance)).size, 2)
  })

  const flags = ['--instances=2', '--instances-as=threads', '--apm=none', '--port=0', '--admin-port=0']

  test('refuses a socket that only one of them could close, in one line', async t => {
    const { stderr, code } = await runCommand('app/main.ts', [...flags, '--listen-fd=9', ...frugalFlags(t)])
    assert.equal(code, 1)
    assert.match(stderr, /^error: threads cannot share the socket of --listen-fd.*\n$/)
  })
})
