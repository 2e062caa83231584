import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { toFlags } from '../lib/cli/command-line.ts'
import { startProcess } from '../lib/processes/start-process.ts'
import { runCommand } from '../test/run-command.ts'
import { temporaryDirectory } from '../test/temporary-directory.ts'
import { textFrame } from './frames.ts'

describe('apm-agent, the process', () => {
  test('ends in order, reports its counts and leaves no socket behind when its collector is absent', async t => {
    const apmSocket = join(temporaryDirectory(t), 'agent.sock')
    const agent = await start(t, { apmSocket, collectorUrl: 'http://127.0.0.1:9' })
    const app = connect(apmSocket)
    const hello = { resource: { 'service.instance.id': 'one' }, timeOriginMs: 0 }
    app.write(textFrame('hello', JSON.stringify(hello)))
    app.write(textFrame('points', JSON.stringify([{ metric: 'app.pool.size', value: 4 }]), 1))
    await once(app, 'data')
    assert.deepEqual((await agent.stop()).metricPoints, { delivered: 1, dropped: 0 })
    assert.equal(existsSync(apmSocket), false)
  })

  test('listens on loopback, reports in one line that its port is taken, and removes the socket', async t => {
    const { port, hostname } = new URL((await start(t)).addresses.http as string)
    assert.equal(hostname, '127.0.0.1')
    const apmSocket = join(temporaryDirectory(t), 'agent.sock')
    const { stderr, code } = await runCommand('apm-agent/main.ts', toFlags({ port, apmSocket }))
    assert.equal(code, 1)
    assert.match(stderr, /^error: cannot listen on .* \(EADDRINUSE\); choose another with --port\n$/)
    assert.equal(existsSync(apmSocket), false)
  })
})

async function start(t: TestContext, values: Readonly<Record<string, unknown>> = {}, env = process.env) {
  const apmSocket = join(temporaryDirectory(t), 'agent.sock')
  const flags = toFlags({ port: 0, apmSocket, ...values })
  const file = join(import.meta.dirname, 'main.ts')
  const agent = await startProcess({ name: 'apm-agent', file, flags, env, echo: false })
  t.after(() => agent.stop())
  return agent
}
