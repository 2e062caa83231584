import assert from 'node:assert/strict'
import { test } from 'node:test'
import { takeTurns } from './take-block.ts'

const { signal } = new AbortController()

/** Two sides whose turns take no time here, and tell that they had the cores for this share of it. */
async function orderWith(share: number): Promise<string> {
  const order: string[] = []
  const sideOf = (name: string) => ({
    async turn(durationMs: number) {
      order.push(name)
      return durationMs * share
    },
  })
  await takeTurns([sideOf('a'), sideOf('b')], 200, signal)
  return order.join('')
}

test('both sides have their turns in an order that changes each time, and turns in which one waited count for less', async () => {
  assert.equal(await orderWith(1), 'abbaabba')
  assert.equal(await orderWith(0.5), 'abba'.repeat(4))
})
