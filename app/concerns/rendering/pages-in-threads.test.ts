import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { test } from 'node:test'
import type { Outcome } from '../../../lib/main-thread/job.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { PAGES_AT_ONCE } from '../../../render/main-thread/render-threads.ts'
import { RequestContext } from '../../context.ts'
import { createPagesInThreads } from './pages-in-threads.ts'

const query = { seed: 1, orders: 1, search: '', status: '', sort: 'placed', theme: 'auto' } as const

test('a page that has to wait awaits no data, and then makes its calls in the context of its request', async () => {
  const request = new AsyncLocalStorage<number>()
  const calledFor: (number | undefined)[] = []
  const sent: (() => void)[] = []
  const { pages, queue } = createPagesInThreads(
    {
      dispatchPage: () =>
        new Promise<Outcome<undefined>>(resolve =>
          sent.push(() => resolve({ kind: 'replies', replies: [undefined] })),
        ),
      leavePage() {},
      awaits: () => true,
    },
    1,
    () => {
      calledFor.push(request.getStore())
      return { headers: {}, end() {}, drop() {} }
    },
  )
  const begin = (number: number) => {
    const context = new RequestContext(String(number), monotonicMs() + 60_000)
    const taker = { take() {}, lose() {}, isOver: false }
    return request.run(number, () => pages.begin({ context, query, partDeadline: context.deadline, taker }))
  }
  const made = Array.from({ length: PAGES_AT_ONCE + 1 }, (_, number) => begin(number))
  const last = made.at(-1)
  assert.equal(queue.length, 1)
  assert.equal(last?.awaits('orders'), false)
  sent[0]?.()
  await made[0]?.done
  assert.equal(last?.awaits('orders'), true)
  assert.equal(calledFor.at(-1), PAGES_AT_ONCE)
  for (const end of sent) end()
  await Promise.all(made.map(({ done }) => done))
  assert.equal(calledFor.length, 2 * made.length)
})
