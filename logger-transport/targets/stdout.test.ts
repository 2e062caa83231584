import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { enrich } from '../record.ts'
import { TargetGone } from './contract.ts'
import { createStdoutTarget } from './stdout.ts'

/**
 * Catches what a target writes to stdout before `deliver` returns. Later writes go on to stdout, because those may be results
 * that the test runner reports.
 * @param error the error with which each write fails
 * @returns the texts that were written, once they are delivered
 */
async function captureStdout(
  t: TestContext,
  deliver: () => Promise<unknown>,
  error?: Error,
): Promise<readonly string[]> {
  const written: string[] = []
  const write = t.mock.method(process.stdout, 'write', (text: string, done: (error?: Error) => void) => {
    written.push(text)
    done(error)
  })
  const delivery = deliver()
  write.mock.restore()
  await delivery
  return written
}

const records = ['{"message":"one"}', '{"message":"two"}'].map(line => enrich(line, { service: 'app' }))

test('lines go to stdout as JSON, one a line, with the resource of their writer', async t => {
  const [text] = await captureStdout(t, () => createStdoutTarget().deliver(records))
  assert.equal(text, '{"message":"one","service":"app"}\n{"message":"two","service":"app"}\n')
})

for (const [code, expected] of [
  ['ENOSPC', { message: 'write ENOSPC' }],
  ['EPIPE', TargetGone],
] as const)
  test(`lines that stdout does not take are not delivered (${code})`, async t => {
    const broken = Object.assign(new Error(`write ${code}`), { code })
    const delivery = captureStdout(t, () => createStdoutTarget().deliver(records), broken)
    await assert.rejects(delivery, expected)
  })
