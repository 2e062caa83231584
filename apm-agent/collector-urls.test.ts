import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCollectorUrls } from './collector-urls.ts'

for (const own of [
  'http://localhost:4318',
  'http://127.0.0.1:4318',
  'http://[::1]:4318',
  'http://0.0.0.0:4318',
])
  test(`apm-agent at port 4318 does not export to itself at ${own}`, t => {
    const written = t.mock.method(process.stderr, 'write', () => true)
    const urls = readCollectorUrls(own, '0.0.0.0', 4318)
    assert.deepEqual(urls, { traces: undefined, metrics: undefined, logs: undefined })
    assert.match(String(written.mock.calls[0]?.arguments[0]), /is apm-agent itself/)
  })

test('apm-agent exports to another port of its machine, and to its port of another machine', () => {
  for (const url of ['http://127.0.0.1:4320', 'http://collector:4318'])
    assert.equal(readCollectorUrls(url, '0.0.0.0', 4318).traces, `${url}/v1/traces`)
})
