import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mainThreadQueue } from '../../../lib/main-thread/watched-queue.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { createNoApm } from '../../../test/no-apm.ts'
import { RequestContext } from '../../context.ts'
import { loggerOf } from '../logging/logger-of.ts'
import { FallbackCounts } from './fallback-counts.ts'
import { instrumentParts } from './instrumented.ts'
import { passPage } from './passed-page.ts'
import { loadShell } from './shell.ts'

const query = { seed: 1, orders: 1, search: '', status: '', sort: 'placed', theme: 'auto' } as const
const never = () => new Promise<never>(() => {})
const PART_TIMEOUT_MS = 10

for (const [isAwaited, code] of [
  [true, 'UPSTREAM_TIMEOUT'],
  [false, 'DEADLINE_PASSED'],
] as const) {
  test(`a page that is late is refused with ${code} if its data is ${isAwaited ? '' : 'not '}awaited`, async () => {
    const rendering = { render: never, queue: mainThreadQueue, readPool: never, close: never }
    const tools = {
      rendering: instrumentParts(rendering, await createNoApm()),
      shell: loadShell(),
      logger: loggerOf(() => () => {}),
      fallbackCounts: new FallbackCounts(),
      held: { bytes: 0 },
      partTimeoutMs: PART_TIMEOUT_MS,
      sources: { orders: never, recommendations: never },
    }
    const making = { begin: () => ({ done: never(), awaits: () => isAwaited, abandon() {} }) }
    const context = new RequestContext('a', monotonicMs() + 60_000)
    await assert.rejects(passPage(tools, making, query, context), { code })
    assert.equal(tools.held.bytes, 0)
  })
}
