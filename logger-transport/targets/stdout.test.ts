import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { startCollector } from '../../test/collector.ts'
import { decodeLogs } from '../../test/otlp-receiver.ts'
import { enrich } from '../record.ts'
import { TargetGone } from './contract.ts'
import { createOtlpTarget } from './otlp.ts'
import { createStdoutTarget } from './stdout.ts'
import { createTerminalTarget } from './terminal.ts'

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

for (const createTarget of [createStdoutTarget, createTerminalTarget])
  test(`${createTarget.name}: a stdout that nobody reads any more is gone for good`, async t => {
    const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })
    const delivery = captureStdout(t, () => createTarget().deliver(records), broken)
    await assert.rejects(delivery, TargetGone)
  })

/** A line as the terminal shows it. */
async function show(t: TestContext, line: string, resource = {}): Promise<string> {
  const [shown = ''] = await captureStdout(t, () => createTerminalTarget().deliver([enrich(line, resource)]))
  return shown
}

const HOSTILE = 'fine\nINFO: forged\u001b[2J\u009b31m\u202e'

const hostile = [
  JSON.stringify({ time: 1, level: 'info', message: HOSTILE }),
  JSON.stringify({ time: 1, level: 'info', message: 'm', [HOSTILE]: { nested: [HOSTILE] } }),
  HOSTILE,
]
for (const line of hostile) {
  test(`what stands in ${JSON.stringify(line).slice(0, 60)} has no power over a terminal`, async t => {
    const shown = await show(t, line)
    assert.equal(stripVTControlCharacters(shown), shown)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    assert.doesNotMatch(shown, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    assert.doesNotMatch(shown, /^INFO: forged/m)
    assert.match(shown, /forged/)
  })
}

test('what numbers a line is not shown', async t => {
  const line = JSON.stringify({
    time: 1,
    level: 'info',
    sequence: 7,
    'thread.id': 3,
    message: 'm',
    orderId: 5,
  })
  const shown = await show(t, line)
  assert.match(shown, /INFO: m\n +orderId: 5\n$/)
})

test('fields of the service are shown, also those that are named like a part of the resource', async t => {
  const shown = await show(t, '{"level":30,"host":"db","msg":{"a":1}}', { host: 'h', service: 'shop' })
  assert.match(shown, /INFO: \{"a":1\}\n +host: "db"\n$/)
})

test('a line that is nested too deeply to be formatted is shown as text', async t => {
  const line = `{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}`
  const shown = await show(t, line)
  assert.equal(shown, `${line}\n`)
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

  test(`a line of ${logger} is shown with its message on a terminal, and goes to stdout as it is`, async t => {
    const record = enrich(line, resource)
    const [readable] = await captureStdout(t, () => createTerminalTarget().deliver([record]))
    const [plain] = await captureStdout(t, () => createStdoutTarget().deliver([record]))
    assert.match(readable as string, /WARN.*: slow\n {4}code: "E"\n/)
    assert.equal(plain, `${record.text}\n`)
  })
}

test('a field that the logger has written itself is not written again', () => {
  const { text } = enrich(ofLoggers.pino, resource)
  assert.equal(text.match(/"pid":/g)?.length, 1)
  assert.ok(text.endsWith('"msg":"slow","service":"shop","host":"h","instance":"a"}'), text)
})
