import assert from 'node:assert/strict'
import { test } from 'node:test'
import { levelOf } from './levels.ts'

test('a level is found by its word in any case, and by the nearest number', () => {
  const levels = {
    fatal: ['fatal', 'EMERG', 'critical', 60, 56, 1000, Number.POSITIVE_INFINITY, '60'],
    error: ['error', 'Err', 50, 46, 55],
    warn: ['warn', 'WARNING', 40, '40', 36],
    info: ['info', 'NOTICE', 30, 35, 26, 34.9],
    debug: ['debug', 'verbose', 20, 25, 16],
    trace: ['trace', 'silly', 10, 15, 3, 0, -7],
  }
  for (const [level, given] of Object.entries(levels))
    assert.deepEqual(
      given.map(levelOf),
      given.map(() => level),
    )
  for (const unknown of [undefined, null, 'audit', '', {}, ['info'], true, { toString: 1 }, 'toString'])
    assert.equal(levelOf(unknown), undefined)
})
