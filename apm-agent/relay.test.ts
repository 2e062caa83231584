import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { describe, type TestContext, test } from 'node:test'
import { listen } from '../lib/http/listen.ts'
import { startCollector } from '../test/collector.ts'
import { noExports } from './collector.ts'
import { AgentCounts } from './counts.ts'
import { createRelays, type Relay } from './relay.ts'
import { Reporters } from './reporters.ts'
import { takeOtlp } from './take-otlp.ts'

const signals = ['traces', 'metrics', 'logs'] as const

/** An export request with two items without content, by its signal. */
const twoItems = {
  traces: Buffer.from('0a06120412001200', 'hex'),
  // A gauge with two points.
  metrics: Buffer.from('0a0a120812062a040a000a00', 'hex'),
  logs: Buffer.from('0a06120412001200', 'hex'),
} as const

/** An answer that says that one item was rejected, because it is old. */
const ONE_REJECTED = Buffer.from('0a07080112036f6c64', 'hex')

/** Starts a server that takes OTLP, and keeps its lines on stderr. */
async function start(t: TestContext, collectorUrl?: string) {
  const said: string[] = []
  t.mock.method(process.stderr, 'write', (line: string) => said.push(line))
  const counts = new AgentCounts()
  const urlOf = (signal: string) => collectorUrl && new URL(`/v1/${signal}`, collectorUrl).href
  const relays = createRelays(
    { traces: urlOf('traces'), metrics: urlOf('metrics'), logs: urlOf('logs') },
    noExports(),
  )
  const options = { counts, reporters: new Reporters(), relays }
  const server = createServer((request, response) =>
    takeOtlp(request, response, request.url as string, options),
  )
  const url = await listen(server, '127.0.0.1', 0)
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const post = async (
    signal: (typeof signals)[number],
    body: Buffer = twoItems[signal],
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(`${url}/v1/${signal}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-protobuf', ...headers },
      body: new Uint8Array(body),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const code = response.ok ? '' : JSON.parse(String(bytes)).code
    return { status: response.status, code, bytes, headers: response.headers }
  }
  const delivered = () => [counts.spans.otlp, counts.metricPoints.otlp]
  return { post, relays, counts, delivered, said }
}

const answers: readonly [theirs: number, ours: number, code: string][] = [
  [200, 200, ''],
  [400, 400, 'COLLECTOR_REFUSED'],
  [413, 413, 'COLLECTOR_REFUSED'],
  [302, 400, 'COLLECTOR_REFUSED'],
  [408, 503, 'COLLECTOR_UNAVAILABLE'],
  [429, 503, 'COLLECTOR_UNAVAILABLE'],
  [500, 503, 'COLLECTOR_UNAVAILABLE'],
]

describe('OTLP that is passed on', () => {
  for (const [theirs, ours, code] of answers)
    test(`is answered with ${ours} when the collector answers with ${theirs}, and counted once that is final`, async t => {
      const { url, received } = await startCollector(t, [theirs])
      const { post, relays, delivered, said } = await start(t, url)
      for (const signal of signals) {
        const answer = await post(signal)
        assert.deepEqual([answer.status, answer.code], [ours, code])
        const [exported, dropped] = [ours === 200 ? 2 : 0, code === 'COLLECTOR_REFUSED' ? 2 : 0]
        assert.deepEqual(relays[signal]?.counts, { exported, dropped })
      }
      assert.deepEqual(
        received.map(({ path, body }) => [path, body]),
        signals.map(signal => [`/v1/${signal}`, twoItems[signal]]),
      )
      assert.deepEqual(delivered(), ours === 200 ? [2, 2] : [0, 0])
      const lines = signals.map(
        signal => `apm-agent: ${url}/v1/${signal} answered with ${theirs}; the sender is told\n`,
      )
      assert.deepEqual(said, ours === 200 ? [] : lines)
    })

  test('is counted as dropped where the collector rejects a part, which is said and passed back, as the pause is', async t => {
    const { url } = await startCollector(t, [200, 200, 200, 429], {
      answer: ONE_REJECTED,
      headers: { 'retry-after': '7' },
    })
    const { post, relays, said } = await start(t, url)
    for (const signal of signals) {
      assert.deepEqual((await post(signal)).bytes, ONE_REJECTED)
      assert.deepEqual(relays[signal]?.counts, { exported: 1, dropped: 1 })
    }
    assert.deepEqual(said[0], `apm-agent: ${url}/v1/traces rejected 1 of 2 items (old); the sender is told\n`)
    assert.equal((await post('logs')).headers.get('retry-after'), '7')
  })

  test('without a collector is counted, but logs are refused in a way that no repetition mends', async t => {
    const { post, delivered } = await start(t)
    assert.deepEqual((await post('logs')).code, 'NO_COLLECTOR')
    assert.deepEqual(
      [(await post('traces')).status, (await post('metrics')).status, delivered()],
      [200, 200, [2, 2]],
    )
  })

  test('is refused when it is no export request, and for now when nobody listens at the collector', async t => {
    const { post, counts } = await start(t, 'http://127.0.0.1:9')
    assert.equal((await post('logs', Buffer.from('nonsense'))).status, 400)
    assert.equal(counts.decodeErrors.otlp, 1)
    assert.equal((await post('traces')).status, 503)
  })

  test('that is under way when this process stops has the answer of the collector, or is refused for now', async t => {
    const { url, asked, release } = await startCollector(t, [200], { held: true })
    const { post, relays } = await start(t, url)
    const answered = [post('traces'), post('logs')]
    await asked(2)
    await relays.logs?.close(0)
    const closed = relays.traces?.close()
    release()
    const [taken, refused] = await Promise.all(answered)
    assert.deepEqual([taken?.status, refused?.status, refused?.headers.get('retry-after')], [200, 503, '1'])
    await closed
    assert.equal((await post('traces')).status, 503)
  })

  test('is refused beyond the memory limit until the collector has answered', async t => {
    const { url, asked, release, received } = await startCollector(t, [200], { held: true })
    const { relays } = await start(t, url)
    const { logs } = relays as { logs: Relay }
    const large = Buffer.alloc(9 * 2 ** 20)
    const first = logs.pass(large, 1)
    await asked()
    assert.equal((await logs.pass(large, 1)).status, 503)
    release()
    assert.equal((await first).status, 200)
    assert.equal((await logs.pass(large, 1)).status, 200)
    assert.equal(received.length, 2)
  })

  test('may be spelled as HTTP allows; a sender of JSON is told which setting to change, and the operator, too', async t => {
    const { post, said } = await start(t)
    for (const [header, value, status] of [
      ['content-type', 'Application/X-Protobuf ; charset=utf-8', 200],
      ['content-type', 'application/x-protobuffer', 415],
      ['content-encoding', 'IDENTITY', 200],
      ['content-encoding', 'br', 415],
    ] as const)
      assert.equal((await post('traces', undefined, { [header]: value })).status, status, value)
    const { status, bytes } = await post('metrics', Buffer.from('{}'), { 'content-type': 'application/json' })
    assert.equal(status, 415)
    for (const text of [String(bytes), said.join()])
      assert.match(text, /OTEL_EXPORTER_OTLP_PROTOCOL=http\/protobuf/)
  })

  test('has the configured headers, and the credentials of the URL, which no line shows', async t => {
    process.env.OTEL_EXPORTER_OTLP_HEADERS = 'x-team=ours'
    t.after(() => delete process.env.OTEL_EXPORTER_OTLP_HEADERS)
    const { url, received } = await startCollector(t, [400])
    const { post, said } = await start(t, url.replace('//', '//me:se%40cret@'))
    await post('traces')
    const headers = received[0]?.headers
    assert.deepEqual([headers?.authorization, headers?.['x-team']], [`Basic ${btoa('me:se@cret')}`, 'ours'])
    assert.deepEqual(said, [`apm-agent: ${url}/v1/traces answered with 400; the sender is told\n`])
  })
})
