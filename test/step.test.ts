import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { lastStep } from '../app/steps.ts'
import { findFreePort } from '../lib/http/listen.ts'
import { childrenOf, gone, runCommand, startCommand } from './run-command.ts'
import { frugalFlags } from './start-stack.ts'

describe('what starts and measures the branch of a step', () => {
  test('gives the host to the app alone, counts only right answers, delivers its lines, and leaves no process behind, not even a stopped one', async t => {
    const port = await findFreePort()
    const flags = [`--port=${port}`, `--step=${lastStep.name}`, ...frugalFlags(t)]
    const started = startCommand(t, 'stack/start.ts', flags, { env: { DMT_HOST: '127.0.0.2' } })
    await started.line(/^app +http:\/\/127\.0\.0\.2/)
    await started.line(/^orders +http:\/\/127\.0\.0\.1/)
    const children = childrenOf(started.child.pid as number)
    const urls = [`--url=http://127.0.0.2:${port}`, `--admin-url=http://127.0.0.1:${port + 2}`]
    const load = ['--connections=2', '--duration=1s', '--warm-up=0ms', ...urls]
    const measure = (path: string) => runCommand('loadtest/autocannon.ts', [`--path=${path}`, ...load])
    for (const { code, stdout, stderr } of await Promise.all(['/demo', '/page'].map(measure))) {
      assert.equal(code, 0, stderr)
      assert.match(stdout, /^right answers +[1-9]\d* a second \(0 wrong/)
      assert.match(stdout, /^main thread +[1-9]\d* µs a request/m)
    }
    const orders = children.find(pid => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('orders/'))
    process.kill(orders as number, 'SIGSTOP')
    started.child.kill('SIGINT')
    assert.deepEqual(await started.ended, [0, null])
    await Promise.all(children.map(gone))
    const logFile = flags.find(flag => flag.startsWith('--log-file='))?.split('=')[1] as string
    assert.match(readFileSync(logFile, 'utf8'), /"message":"order read"/)
  })

  test('says in one line that nothing listens', async () => {
    const { code, stderr } = await runCommand('loadtest/autocannon.ts', ['--url=http://127.0.0.1:1'])
    assert.equal(code, 1)
    assert.match(stderr, /^error: .*nothing listens there; start the app with "npm start"\n$/)
  })
})
