import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mainThreadQueue } from '../../../lib/main-thread/watched-queue.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { createNoApm } from '../../../test/no-apm.ts'
import { RequestContext } from '../../context.ts'
import { instrumentParts } from './instrumented.ts'

test('a part that is done after its request has ended counts as work, and has no span', async () => {
  const parents: unknown[] = []
  const apm = {
    ...(await createNoApm()),
    startWork(_kind: unknown, _name: unknown, parent: unknown) {
      parents.push(parent)
    },
  }
  const times = { waitMs: 1, runMs: 2 }
  const { pool, render, recordPart } = instrumentParts(
    {
      render: async () => ({ html: new Uint8Array(), ...times }),
      queue: mainThreadQueue,
      readPool: async () => undefined,
      close: async () => {},
    },
    apm,
  )
  const context = new RequestContext('a', monotonicMs() + 60_000, 'its span')
  const makeParts = async () => {
    await render(context, { name: 'orders', index: 0, input: {} as never })
    recordPart(context, 'orders', monotonicMs(), times)
    recordPart(context, 'orders', monotonicMs(), new Error('it failed'))
  }
  await makeParts()
  context.end()
  await makeParts()
  assert.deepEqual(parents, ['its span', 'its span', 'its span'])
  assert.equal(pool.done.tasks, 4)
})
