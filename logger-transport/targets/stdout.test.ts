import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enrich } from '../record.ts'
import { captureStdout } from './capture-stdout.fixture.ts'
import { TargetGone } from './contract.ts'
import { createStdoutTarget } from './stdout.ts'
import { createTerminalTarget } from './terminal.ts'

const records = ['{"message":"one"}', '{"message":"two"}'].map(line => enrich(line, { service: 'app' }))

test('lines go to stdout as JSON, one a line, with the resource of their writer', async t => {
  const [text] = await captureStdout(t, () => createStdoutTarget().deliver(records))
  assert.equal(text, '{"message":"one","service":"app"}\n{"message":"two","service":"app"}\n')
})

test('lines that stdout does not take are not delivered', async t => {
  const broken = new Error('no space left')
  const delivery = captureStdout(t, () => createStdoutTarget().deliver(records), broken)
  await assert.rejects(delivery, broken)
})

for (const createTarget of [createStdoutTarget, createTerminalTarget])
  test(`${createTarget.name}: a stdout that nobody reads any more is gone for good`, async t => {
    const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
    const delivery = captureStdout(t, () => createTarget().deliver(records), broken)
    await assert.rejects(delivery, TargetGone)
  })
