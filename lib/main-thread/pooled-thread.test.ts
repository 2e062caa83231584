import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { PooledThread } from './pooled-thread.ts'

const COUNT = 10_000
const file = join(import.meta.dirname, 'pooled-thread.fixture.ts')

interface Replies {
  readonly kind: 'replies'
  readonly slot: number
  readonly replies: readonly { readonly kind: string }[]
}

/** Trusts each message, as the threads of the pools do. */
class TrustingThread extends PooledThread<Replies> {
  override readonly load = 0
  override readonly progress = null
  taken = 0
  failed = 0

  protected override take(message: Replies): void {
    this.taken++
    this.failed++
    for (const reply of message.replies) assert.ok(reply.kind.length)
    this.failed--
  }

  protected override giveBack(): void {}
}

describe('a thread of a pool', () => {
  test(`ends nothing by a message, whatever that is: ${COUNT} of them`, async t => {
    const warnings: string[] = []
    const note = ({ message }: Error) => void warnings.push(message)
    process.on('warning', note)
    t.after(() => process.off('warning', note))
    const exit = Promise.withResolvers<void>()
    const options = { file, name: 'odd', data: { count: COUNT }, memoryMib: 64 }
    const thread = new TrustingThread(options, exit.resolve)
    await exit.promise
    assert.equal(thread.taken, COUNT)
    assert.ok(thread.failed > COUNT / 4, `${thread.failed} of them threw`)
    assert.equal(warnings.length, 1)
    assert.match(warnings[0] as string, /could not be handled: TypeError[\s\S]*pooled-thread\.test/)
  })
})
