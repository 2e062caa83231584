import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../test/temporary-directory.ts'
import { follow, taking } from './follow.fixture.ts'
import { Metrics } from './metrics.ts'
import { followPipe } from './pipe.ts'
import { segmentName, WRITER_FILE } from './protocol.ts'
import { type Target, TargetGone } from './targets/contract.ts'

const failing = (name: string, error: Error): Target => ({
  name,
  deliver: () => Promise.reject(error),
  close: async () => {},
})

const gone = new TargetGone('write EPIPE')
const readOnly = Object.assign(new Error('read-only file system'), { code: 'EROFS' })

/** Restores the exit code and keeps what is said, because both would say that this test run failed. */
function keepQuiet(t: TestContext) {
  const { exitCode } = process
  t.after(() => {
    process.exitCode = exitCode
  })
  const said = t.mock.method(process.stderr, 'write', () => true)
  return () => said.mock.calls.map(({ arguments: [line] }) => String(line)).join('')
}

for (const error of [gone, readOnly])
  test(`a pipe is not read any more once no target is left (${error.message})`, async t => {
    const said = keepQuiet(t)
    const [input, metrics] = [new PassThrough(), new Metrics()]
    const targets = [failing('one', error), failing('two', gone)]
    const followed = followPipe(input, {
      targets,
      metrics,
      finish: new AbortController().signal,
      logDirectory: 'nowhere',
    })
    input.write('{"n":1}\n{"n":2}\n')
    await followed
    assert.ok(input.destroyed, 'its writer gets EPIPE')
    assert.deepEqual(metrics.countLines(), { delivered: 0, dropped: 2, rejected: 0 })
    assert.equal(process.exitCode, 1)
    assert.match(said(), new RegExp(`one is given up, because it is gone: ${error.message}`))
  })

test('beside a target that is gone, a pipe is read for the others', async t => {
  keepQuiet(t)
  const [input, metrics, other] = [new PassThrough(), new Metrics(), taking('other', ({ line }) => line)]
  input.end('{"n":1}\n{"n":2}\n')
  const targets = [failing('one', gone), other]
  await followPipe(input, { targets, metrics, finish: new AbortController().signal, logDirectory: 'nowhere' })
  assert.deepEqual(other.got, ['{"n":1}', '{"n":2}'])
  assert.deepEqual(metrics.countLines(), { delivered: 0, dropped: 2, rejected: 0 })
})

test('segments are not followed any more once no target is left, and their lines stay', async t => {
  const said = keepQuiet(t)
  const logDirectory = temporaryDirectory(t)
  const segment = join(logDirectory, 'a', segmentName(1))
  mkdirSync(join(logDirectory, 'a'))
  writeFileSync(join(logDirectory, 'a', WRITER_FILE), JSON.stringify({ resource: {} }))
  writeFileSync(segment, '{"n":1}\n')
  await follow(logDirectory, [failing('stdout', gone)]).followed
  assert.equal(process.exitCode, 1)
  assert.equal(readFileSync(segment, 'utf8'), '{"n":1}\n')
  assert.match(said(), /stdout is given up, because it is gone: write EPIPE\n.*8 bytes of them stay/s)
})
