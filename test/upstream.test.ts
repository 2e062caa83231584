import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, type TestContext, test } from 'node:test'
import { startApp } from '../app/app.ts'
import { appOptions } from '../app/config.ts'
import { parseOptions, toFlags } from '../lib/cli/command-line.ts'
import { listen } from '../lib/http/listen.ts'
import { createOrdersServer } from '../orders/server.ts'
import { lightest } from './stack-parts.ts'

/** Longer than every time limit of a test. */
const LATENCY_MS = 3000

/** Starts an app and its slow upstream in this process. */
async function start(t: TestContext, options: object) {
  const orders = createOrdersServer({ latencyMs: LATENCY_MS })
  const ordersUrl = await listen(orders, '127.0.0.1', 0)
  const flags = toFlags({ ...lightest, port: 0, adminPort: 0, ordersUrl, ...options })
  const app = await startApp(parseOptions(appOptions, flags).values)
  const end = () => {
    orders.close()
    orders.closeAllConnections()
  }
  t.after(async () => {
    end()
    await app.close()
  })
  return {
    orders,
    end,
    async ask() {
      const response = await fetch(`${app.addresses.http}/demo`)
      return [response.status, ((await response.json()) as { code: string }).code]
    },
  }
}

describe('the upstream', () => {
  test('that is too slow causes a 504 before it has answered, and one that is absent a 502', async t => {
    const { ask, orders, end } = await start(t, { ordersTimeoutMs: 100 })
    assert.deepEqual(await ask(), [504, 'UPSTREAM_TIMEOUT'])
    const closed = once(orders, 'close')
    end()
    await closed
    assert.deepEqual(await ask(), [502, 'UPSTREAM_FAILED'])
  })

  test('that hangs gets no more calls, even when requests have less time than a call', async t => {
    const { ask } = await start(t, { requestTimeoutMs: 1000 })
    await Promise.all(Array.from({ length: 20 }, ask))
    assert.deepEqual(await ask(), [503, 'UPSTREAM_UNAVAILABLE'])
  })
})
