import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startCollector } from '../../test/collector.ts'
import { decodeLogs } from '../../test/otlp-receiver.ts'
import { enrich } from '../record.ts'
import { TargetGone } from './contract.ts'
import { createOtlpTarget } from './otlp.ts'
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

test('lines that stdout does not take are not delivered', async t => {
  const broken = new Error('no space left')
  const delivery = captureStdout(t, () => createStdoutTarget().deliver(records), broken)
  await assert.rejects(delivery, broken)
})

test('a stdout that nobody reads any more is gone for good', async t => {
  const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
  const delivery = captureStdout(t, () => createStdoutTarget().deliver(records), broken)
  await assert.rejects(delivery, TargetGone)
})

const resource = { service: 'shop', version: undefined, host: 'h', pid: 7, instance: 'a' }
const TIME = Date.UTC(2026, 0, 2)
/** Lines as pino and winston write them by default. */
const ofLoggers = {
  pino: `{"level":40,"time":${TIME},"pid":7,"hostname":"h","code":"E","msg":"slow"}`,
  winston: `{"level":"warn","message":"slow","code":"E","timestamp":"${new Date(TIME).toISOString()}"}`,
}

for (const [logger, line] of Object.entries(ofLoggers)) {
  test(`a line of ${logger} has its level, its time and its message in OTLP`, async t => {
    const { url, received } = await startCollector(t, [200])
    await createOtlpTarget(url).deliver([enrich(line, resource)])
    const [record] = decodeLogs(received[0]?.body as Buffer)[0]?.records ?? []
    const { severityNumber, severityText, body, attributes } = record ?? {}
    assert.deepEqual([severityNumber, severityText, body], [13, 'warn', 'slow'])
    assert.equal(attributes?.code, 'E')
  })

  test(`a line of ${logger} goes to stdout as it is`, async t => {
    const record = enrich(line, resource)
    const [plain] = await captureStdout(t, () => createStdoutTarget().deliver([record]))
    assert.equal(plain, `${record.text}\n`)
  })
}

test('a field that the logger has written itself is not written again', () => {
  const { text } = enrich(ofLoggers.pino, resource)
  assert.equal(text.match(/"pid":/g)?.length, 1)
  assert.ok(text.endsWith('"msg":"slow","service":"shop","host":"h","instance":"a"}'), text)
})
