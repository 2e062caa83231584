import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enrich } from '../record.ts'
import { createStdoutTarget } from './stdout.ts'

const records = ['{"message":"one"}', '{"message":"two"}'].map(line => enrich(line, { service: 'app' }))
type Done = (error?: Error) => void

test('lines go to stdout as JSON, one a line, with the resource of their writer', async t => {
  const write = t.mock.method(process.stdout, 'write', (_text: string, done: Done) => done())
  await createStdoutTarget().deliver(records)
  const text = String(write.mock.calls[0]?.arguments[0])
  write.mock.restore()
  assert.equal(text, '{"message":"one","service":"app"}\n{"message":"two","service":"app"}\n')
})

test('lines that stdout does not take are not delivered', async t => {
  const broken = new Error('write EPIPE')
  const write = t.mock.method(process.stdout, 'write', (_text: string, done: Done) => done(broken))
  const delivery = createStdoutTarget().deliver(records)
  write.mock.restore()
  await assert.rejects(delivery, broken)
})
