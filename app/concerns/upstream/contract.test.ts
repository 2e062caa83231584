import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { MessageChannel } from 'node:worker_threads'
import { startClient } from './orders-client.fixture.ts'
import { AnswerCollector } from './orders-client.ts'

describe('the client of the upstream', () => {
  test('takes a body of 16 MiB, and fails if it is longer', async t => {
    let bytes = 16 * 2 ** 20
    const { codeOf } = await startClient(t, (_, response) => response.end(Buffer.alloc(bytes)))
    assert.equal(await codeOf(), 'answered')
    bytes++
    assert.equal(await codeOf(), 'UPSTREAM_FAILED')
  })

  test('sends the remaining time: its own limit, or the remaining budget of the request', async t => {
    const budgets: number[] = []
    const { codeOf, newContext } = await startClient(t, (request, response) => {
      budgets.push(Number(request.headers['x-envoy-expected-rq-timeout-ms']))
      response.end()
    })
    await codeOf(newContext(600_000))
    await codeOf(newContext(30_000))
    assert.equal(budgets[0], 60_000)
    assert.ok((budgets[1] as number) > 0 && (budgets[1] as number) <= 30_000, String(budgets))
  })

  test('makes no call for a request whose client is gone or whose time is up', async t => {
    const { codeOf, newContext } = await startClient(t, () => assert.fail('it was called'))
    assert.equal(await codeOf(newContext(0)), 'DEADLINE_PASSED')
    const gone = newContext()
    gone.abort()
    assert.equal(await codeOf(gone), 'CLIENT_GONE')
  })
})

describe('an answer', () => {
  test('that came in time while its thread was busy counts', async () => {
    // After this turn, due timers run before anything that came from outside is read.
    await turn()
    const { port1, port2 } = new MessageChannel()
    const answer = new AnswerCollector(1, { onGone: () => () => {} })
    port1.once('message', () => answer.onResponseEnd())
    port2.postMessage('the answer')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    try {
      await answer.body
    } finally {
      port1.close()
    }
  })
})
