import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { until } from '../test/faults/fault.ts'
import { temporaryDirectory } from '../test/temporary-directory.ts'
import { Liveness } from './liveness.ts'
import { BOOT_FILE, readBoot, socketPath, WRITER_FILE, type WriterInfo } from './protocol.ts'

const resource = { service: 'app', version: '1', host: 'h', pid: 1, instance: 'i' }
const infoOf = (boot: string | null): WriterInfo => ({ resource, boot, linesBefore: 0, diskBytes: 2 ** 20 })
const LISTEN = `require('net').createServer().listen(process.argv[1], () => console.log('listens'))`

/** Creates the directory of a writer. If `isListening` is true, a process of its own listens on the writer's socket. */
async function makeWriter(t: TestContext, isListening = true) {
  const directory = temporaryDirectory(t)
  writeFileSync(join(directory, WRITER_FILE), '{}')
  const liveness = new Liveness()
  t.after(() => liveness.keepOnly([]))
  if (!isListening) return { directory, liveness }
  const child: ChildProcess = spawn(process.execPath, ['--eval', LISTEN, socketPath(directory)])
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  return { directory, liveness, child }
}

describe('a writer', { skip: process.platform === 'win32' && 'there are no Unix sockets' }, () => {
  test('lives as long as its process, even if that is stopped, and is dead as soon as it is killed', async t => {
    const { directory, liveness, child } = await makeWriter(t)
    child?.kill('SIGSTOP')
    for (let times = 0; times < 3; times++)
      assert.equal(await liveness.ask(directory, infoOf('another kernel')), 'lives')
    child?.kill('SIGKILL')
    await until(async () => (await liveness.ask(directory, infoOf('another kernel'))) === 'dead')
  })

  test('that was killed before it was ever asked is dead if it was of this kernel', {
    skip: !existsSync(BOOT_FILE),
  }, async t => {
    const { directory, liveness, child } = await makeWriter(t)
    child?.kill('SIGKILL')
    await once(child as ChildProcess, 'exit')
    assert.equal(await liveness.ask(directory, infoOf('another kernel')), 'unknown')
    assert.equal(await liveness.ask(directory, infoOf(readBoot())), 'dead')
    const another = await makeWriter(t, false)
    assert.equal(
      await another.liveness.ask(another.directory, infoOf(readBoot())),
      'unknown',
      'without a socket',
    )
  })
})
