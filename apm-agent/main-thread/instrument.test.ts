import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instrument } from './index.ts'

test('an option with a wrong value is refused', () => {
  const expected = 'an integer from 1 to 1024'
  for (const [options, message] of [
    [{ memoryMib: 0 }, `instrument: memoryMib expects ${expected}, received 0`],
    [{ memoryMib: Number.NaN }, `instrument: memoryMib expects ${expected}, received NaN`],
    [{ memoryMib: Number.POSITIVE_INFINITY }, `instrument: memoryMib expects ${expected}, received Infinity`],
    [{ socket: '' }, 'instrument: socket expects some text, received ""'],
    [{ memoryMiB: 4 }, 'instrument has no option memoryMiB; it has socket, memoryMib'],
  ] as const)
    assert.throws(() => instrument(options as never), { name: 'RangeError', message })
})
