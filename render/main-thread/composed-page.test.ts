import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ComposedPart, composeParts } from './composed-page.ts'

test('a page whose required part fails wants no other part', async () => {
  const areWanted: (() => boolean)[] = []
  const part: ComposedPart = {
    make(isWanted) {
      areWanted.push(isWanted)
      return new Promise(() => {})
    },
    fallback: Buffer.from('it is not available'),
    late: () => new Error('late'),
    onFallback: () => assert.fail('no page shows it'),
  }
  const failing = { ...part, fallback: undefined, make: () => Promise.reject(new Error('no orders')) }
  const composed = composeParts([failing, part], { partTimeoutMs: 60_000, isGone: () => false })
  await assert.rejects(composed, /no orders/)
  assert.deepEqual(
    areWanted.map(isWanted => isWanted()),
    [false],
  )
})
