import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { listen } from '../lib/http/listen.ts'
import { otlpHeaders } from '../lib/telemetry/otel-environment.ts'
import { startCollector } from '../test/collector.ts'
import { ForwardQueue } from './forward-queue.ts'

/** This is longer than the time limit of a test. */
const PATIENCE_MS = 60_000

/** Starts a queue in front of a collector, and keeps its lines on stderr. */
function start(t: TestContext, url: string, headers: Readonly<Record<string, string>> = {}) {
  const said: string[] = []
  t.mock.method(process.stderr, 'write', (line: string) => said.push(line))
  const counts = { exported: 0, dropped: 0 }
  return { queue: new ForwardQueue({ url, headers, counts }), counts, said }
}

const body = (text: string) => Buffer.from(text)
const bodiesOf = (received: readonly { readonly body: Buffer }[]) => received.map(each => String(each.body))

describe('a body that is forwarded to a collector', () => {
  for (const status of [302, 400, 401, 413]) {
    test(`is dropped after the answer ${status}, which is reported once, and the next body is sent`, async t => {
      const { url, received } = await startCollector(t, [status, status, 200])
      const { queue, counts, said } = start(t, url)
      for (const items of [1, 2, 4]) queue.add(body(`of ${items}`), items)
      await queue.close(PATIENCE_MS)
      assert.deepEqual(bodiesOf(received), ['of 1', 'of 2', 'of 4'])
      assert.deepEqual(counts, { exported: 4, dropped: 3 })
      assert.deepEqual(said, [`apm-agent: ${url} answered with ${status}; what it was sent is dropped\n`])
    })
  }

  for (const status of [408, 429, 500, 503]) {
    test(`is sent again, in its order, after the answer ${status}`, async t => {
      const { url, received } = await startCollector(t, [status, status, 200])
      const { queue, counts, said } = start(t, url)
      for (const items of [1, 2]) queue.add(body(`of ${items}`), items)
      await queue.close(PATIENCE_MS)
      assert.deepEqual(bodiesOf(received), ['of 1', 'of 1', 'of 1', 'of 2'])
      assert.deepEqual(counts, { exported: 3, dropped: 0 })
      assert.deepEqual(said, [`apm-agent: ${url} answered with ${status}; what it was sent is tried again\n`])
    })
  }

  test('is not sent again before the time in Retry-After', async t => {
    const { url, received } = await startCollector(t, [429, 200], { headers: { 'retry-after': '1' } })
    const { queue, counts } = start(t, url)
    queue.add(body('one'), 1)
    await queue.close(PATIENCE_MS)
    const [first = 0, second = 0] = received.map(({ atMs }) => atMs)
    assert.ok(second - first >= 990, `${second - first} ms later`)
    assert.deepEqual(counts, { exported: 1, dropped: 0 })
  })

  test('waits for an absent collector, and is dropped when the queue closes first', async t => {
    const server = createServer()
    const url = await listen(server, '127.0.0.1', 0)
    await new Promise(resolve => server.close(resolve))
    const { queue, counts, said } = start(t, url)
    for (const items of [1, 2]) queue.add(body('one'), items)
    await queue.close(10)
    assert.deepEqual(counts, { exported: 0, dropped: 3 })
    assert.match(said[0] as string, /did not answer \(ECONNREFUSED\)/)
  })

  test('is dropped at the end when the collector does not answer', async t => {
    const { url, asked } = await startCollector(t, [200], { held: true })
    const { queue, counts } = start(t, url)
    queue.add(body('one'), 1)
    await asked()
    await queue.close(0)
    assert.deepEqual(counts, { exported: 0, dropped: 1 })
  })

  test('is refused beyond the memory limit', async t => {
    const { url, release } = await startCollector(t, [200], { held: true })
    const { queue } = start(t, url)
    const large = Buffer.alloc(9 * 2 ** 20)
    assert.ok(queue.hasRoom(large.length))
    queue.add(large, 1)
    assert.equal(queue.hasRoom(large.length), false)
    assert.ok(queue.hasRoom(1))
    release()
    await queue.close(PATIENCE_MS)
    assert.ok(queue.hasRoom(large.length))
  })

  test('has the configured headers, and prefers those of the signal', async t => {
    const env = {
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20all,x-team=ours',
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'authorization=Bearer%20metrics',
    }
    const { url, received } = await startCollector(t, [200])
    const { queue } = start(t, url, otlpHeaders('metrics', env))
    queue.add(body('one'), 1)
    await queue.close(PATIENCE_MS)
    const headers = received[0]?.headers
    assert.deepEqual(
      [headers?.['content-type'], headers?.authorization, headers?.['x-team']],
      ['application/x-protobuf', 'Bearer metrics', 'ours'],
    )
    assert.equal(otlpHeaders('traces', env).authorization, 'Bearer all')
  })
})
