import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCollector } from '../../test/collector.ts'
import { decodeLogs } from '../../test/decode-logs.ts'
import { enrich } from '../record.ts'
import { captureStdout } from './capture-stdout.fixture.ts'
import { createOtlpTarget } from './otlp.ts'
import { createStdoutTarget } from './stdout.ts'
import { createTerminalTarget } from './terminal.ts'

const resource = { service: 'shop', version: undefined, host: 'h', pid: 7, instance: 'a' }
const TIME = Date.UTC(2026, 0, 2)
/** Lines as pino and winston write them by default. */
const lines = {
  pino: `{"level":40,"time":${TIME},"pid":7,"hostname":"h","code":"E","msg":"slow"}`,
  winston: `{"level":"warn","message":"slow","code":"E","timestamp":"${new Date(TIME).toISOString()}"}`,
}

for (const [logger, line] of Object.entries(lines)) {
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
  const { text } = enrich(lines.pino, resource)
  assert.equal(text.match(/"pid":/g)?.length, 1)
  assert.ok(text.endsWith('"msg":"slow","service":"shop","host":"h","instance":"a"}'), text)
})
