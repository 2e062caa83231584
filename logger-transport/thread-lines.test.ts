import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLineFormatter } from './thread-lines.ts'

const request = { requestId: 'request-1' }

const createFormatter = (countsOnly: boolean) =>
  createLineFormatter({ countsOnly, logLevel: 'info', logRedact: [] })

test('a thread numbers the lines that it formats', () => {
  const { loggerFor, take } = createFormatter(false)
  loggerFor(request).info('one')
  loggerFor(request).info('two')
  const { text, count } = take()
  const lines = text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  assert.equal(count, 2)
  assert.deepEqual(
    lines.map(({ message, sequence, requestId }) => [message, sequence, requestId]),
    [
      ['one', 1, 'request-1'],
      ['two', 2, 'request-1'],
    ],
  )
})

test('a thread only counts the lines that are not kept', () => {
  const { loggerFor, take } = createFormatter(true)
  loggerFor(request).info('one')
  assert.deepEqual(take(), { text: '', count: 1 })
  assert.deepEqual(take(), { text: '', count: 0 })
})
