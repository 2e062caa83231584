import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ComposedPart, composeParts } from './composed-page.ts'

test('a page whose required part fails wants no other part, and holds no memory for it', async () => {
  const held = { bytes: 0 }
  const areWanted: (() => boolean)[] = []
  const part: ComposedPart = {
    make(isWanted) {
      areWanted.push(isWanted)
      return new Promise(() => {})
    },
    fallback: Buffer.from('it is not available'),
    late: () => new Error('late'),
    onFallback: () => assert.fail('no page shows it'),
    typicalBytes: 1000,
  }
  const failing = { ...part, fallback: undefined, make: () => Promise.reject(new Error('no orders')) }
  const composed = composeParts([failing, part], { held, partTimeoutMs: 60_000, isGone: () => false })
  assert.equal(held.bytes, 2000)
  await assert.rejects(composed, /no orders/)
  assert.deepEqual(
    areWanted.map(isWanted => isWanted()),
    [false],
  )
  assert.equal(held.bytes, 0)
})
