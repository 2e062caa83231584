import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import protobuf from 'protobufjs'
import { startAgentServer } from './http-server.fixture.ts'

const report = (latencies: string) => ({
  method: 'POST',
  body: `{"latencies":${latencies}}`,
  headers: { 'content-type': 'application/json' },
})

/** One message with 300,000 empty ones: each takes two bytes here, and a hundred when it is decoded. */
function emptyMessages(tag: number): Uint8Array<ArrayBuffer> {
  const inner = Buffer.alloc(600_000)
  for (let at = 0; at < inner.length; at += 2) inner[at] = tag
  return protobuf.Writer.create().uint32(0x0a).bytes(inner).finish() as Uint8Array<ArrayBuffer>
}

describe('the agent over HTTP', () => {
  for (const [what, path, status, init] of [
    ['an unknown path', '/nothing', 404, {}],
    ['GET of what is posted', '/v1/traces', 405, {}],
    ['POST of what is read', '/metrics', 405, { method: 'POST' }],
    ['POST of events', '/events', 405, { method: 'POST' }],
    [
      'JSON',
      '/v1/traces',
      415,
      { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } },
    ],
    ...['[[1]]', '[[1,-5]]', '[[1e308,1e308]]', '[[815,1]]', '[[0.5,1]]', 'null', '7'].map(
      latencies => [`${latencies} as latencies`, '/live/load', 400, report(latencies)] as const,
    ),
    ['a report that is too long', '/live/load', 400, report(' '.repeat(40_000))],
    ['a report of a page of another site', '/live/load', 415, { method: 'POST', body: '{}' }],
    ['a body that is no message', '/v1/metrics', 400, { method: 'POST', body: 'nonsense' }],
    ['a body of empty messages', '/v1/traces', 400, { method: 'POST', body: emptyMessages(0x0a) }],
    ['a body of empty messages', '/v1/metrics', 400, { method: 'POST', body: emptyMessages(0x12) }],
  ] as const) {
    test(`refuses ${what} with a problem document`, async t => {
      const { url } = await startAgentServer(t)
      const headers = { 'content-type': 'application/x-protobuf', ...('headers' in init ? init.headers : {}) }
      const response = await fetch(url + path, { ...init, headers })
      assert.equal(response.status, status)
      assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/)
      assert.equal(((await response.json()) as { status: number }).status, status)
      assert.equal(response.headers.has('allow'), status === 405)
    })
  }
})
