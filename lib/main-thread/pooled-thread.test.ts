import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { PooledThread, type ThreadWork } from './pooled-thread.ts'

const COUNT = 10_000
const file = join(import.meta.dirname, 'pooled-thread.fixture.ts')

interface Replies {
  readonly kind: 'replies'
  readonly slot: number
  readonly replies: readonly { readonly kind: string }[]
}

/** Trusts each message, as the threads of the pools do. */
class TrustingWork implements ThreadWork<Replies> {
  readonly load = 0
  readonly progress = null
  taken = 0
  failed = 0

  take(message: Replies): void {
    this.taken++
    this.failed++
    for (const reply of message.replies) assert.ok(reply.kind.length)
    this.failed--
  }

  giveBack(): void {}
}

describe('a thread of a pool', () => {
  test(`ends nothing by a message, whatever that is: ${COUNT} of them`, async t => {
    const warnings: string[] = []
    const note = ({ message }: Error) => void warnings.push(message)
    process.on('warning', note)
    t.after(() => process.off('warning', note))
    const exit = Promise.withResolvers<void>()
    const options = { file, name: 'odd', data: { count: COUNT }, memoryMib: 64 }
    const thread = new PooledThread(options, () => new TrustingWork(), exit.resolve)
    await exit.promise
    assert.equal(thread.work.taken, COUNT)
    assert.ok(thread.work.failed > COUNT / 4, `${thread.work.failed} of them threw`)
    assert.equal(warnings.length, 1)
    assert.match(warnings[0] as string, /could not be handled: TypeError[\s\S]*pooled-thread\.test/)
  })
})
