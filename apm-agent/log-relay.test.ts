import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { listen } from '../lib/http/listen.ts'
import { startCollector } from '../test/collector.ts'
import { AgentCounts } from './counts.ts'
import { LogRelay, takeLogs } from './log-relay.ts'

/** An export request with two records without content. */
const TWO_RECORDS = Buffer.from('0a06120412001200', 'hex')

async function start(t: TestContext, collectorUrl?: string) {
  t.mock.method(process.stderr, 'write', () => true)
  const counts = new AgentCounts()
  const relay = collectorUrl === undefined ? undefined : new LogRelay(`${collectorUrl}/v1/logs`)
  const server = createServer((request, response) => takeLogs(request, response, relay, counts))
  const url = await listen(server, '127.0.0.1', 0)
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const post = async (body: Buffer = TWO_RECORDS, type = 'application/x-protobuf') => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': type },
      body: new Uint8Array(body),
    })
    const text = await response.text()
    return { status: response.status, code: text && JSON.parse(text).code, headers: response.headers }
  }
  return { post, relay, counts }
}

const statusesOfCollector: readonly [number, number, string][] = [
  [200, 200, ''],
  [400, 400, 'COLLECTOR_REFUSED'],
  [413, 413, 'COLLECTOR_REFUSED'],
  [302, 400, 'COLLECTOR_REFUSED'],
  [429, 503, 'COLLECTOR_UNAVAILABLE'],
  [500, 503, 'COLLECTOR_UNAVAILABLE'],
]
for (const [theirs, ours, code] of statusesOfCollector) {
  test(`a sender of logs is answered with ${ours} when the collector answers with ${theirs}`, async t => {
    const { url, received } = await startCollector(t, [theirs])
    const { post, relay } = await start(t, url)
    const answer = await post()
    assert.deepEqual([answer.status, answer.code], [ours, code])
    assert.deepEqual(
      received.map(({ path, body }) => [path, body]),
      [['/v1/logs', TWO_RECORDS]],
    )
    const [exported, dropped] = [ours === 200 ? 2 : 0, code === 'COLLECTOR_REFUSED' ? 2 : 0]
    assert.deepEqual(relay?.counts, { exported, dropped })
  })
}

test('the pause that the collector asks for is passed on', async t => {
  const { url } = await startCollector(t, [429], { headers: { 'retry-after': '7' } })
  const { post } = await start(t, url)
  assert.equal((await post()).headers.get('retry-after'), '7')
})

test('without a collector, logs are refused in a way that no repetition mends', async t => {
  const { post } = await start(t)
  const { status, code } = await post()
  assert.deepEqual([status, code], [404, 'NO_COLLECTOR'])
})

test('a sender is told to wait when nobody listens at the collector, or this process stops', async t => {
  const { url, asked } = await startCollector(t, [200], { held: true })
  const absent = await start(t, 'http://127.0.0.1:9')
  assert.equal((await absent.post()).status, 503)
  const { post, relay } = await start(t, url)
  const answered = post()
  await asked()
  relay?.close()
  const { status, headers } = await answered
  assert.deepEqual([status, headers.get('retry-after')], [503, '1'])
})

test('logs beyond the memory limit are refused until the collector has answered', async t => {
  const { url, asked, release, received } = await startCollector(t, [200], { held: true })
  const { relay } = await start(t, url)
  const large = Buffer.alloc(9 * 2 ** 20)
  const first = relay?.pass(large, 1)
  await asked()
  assert.equal(await relay?.pass(large, 1), undefined)
  release()
  assert.equal((await first)?.kind, 'taken')
  assert.equal((await relay?.pass(large, 1))?.kind, 'taken')
  assert.equal(received.length, 2)
})

test('a body that is no export request is refused and counted', async t => {
  const { post, counts } = await start(t, 'http://127.0.0.1:9')
  assert.equal((await post(Buffer.from('nonsense'))).status, 400)
  assert.equal((await post(Buffer.from('{}'), 'application/json')).status, 415)
  assert.equal(counts.decodeErrors.otlp, 1)
})
