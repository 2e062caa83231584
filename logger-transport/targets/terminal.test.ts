import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { enrich } from '../record.ts'
import { captureStdout } from './capture-stdout.fixture.ts'
import { createTerminalTarget } from './terminal.ts'

const HOSTILE = 'fine\nINFO: forged\u001b[2J\u009b31m\u202e'

const lines = [
  JSON.stringify({ time: 1, level: 'info', message: HOSTILE }),
  JSON.stringify({ time: 1, level: 'info', message: 'm', [HOSTILE]: { nested: [HOSTILE] } }),
  HOSTILE,
]
for (const line of lines) {
  test(`what stands in ${JSON.stringify(line).slice(0, 60)} has no power over a terminal`, async t => {
    const [shown = ''] = await captureStdout(t, () => createTerminalTarget().deliver([enrich(line, {})]))
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
  const [shown = ''] = await captureStdout(t, () => createTerminalTarget().deliver([enrich(line, {})]))
  assert.match(shown, /INFO: m\n +orderId: 5\n$/)
})

test('fields of the service are shown, also those that are named like a part of the resource', async t => {
  const record = enrich('{"level":30,"host":"db","msg":{"a":1}}', { host: 'h', service: 'shop' })
  const [shown = ''] = await captureStdout(t, () => createTerminalTarget().deliver([record]))
  assert.match(shown, /INFO: \{"a":1\}\n +host: "db"\n$/)
})

test('a line that is nested too deeply to be formatted is shown as text', async t => {
  const line = `{"a":${'['.repeat(1e5)}${']'.repeat(1e5)}}`
  const [shown] = await captureStdout(t, () => createTerminalTarget().deliver([enrich(line, {})]))
  assert.equal(shown, `${line}\n`)
})
