import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { listen } from '../../lib/http/listen.ts'

describe('is-healthy.sh', () => {
  const isHealthy = (port: string, path: string) =>
    promisify(execFile)(join(import.meta.dirname, '../../stack/is-healthy.sh'), [port, path]).then(
      () => true,
      () => false,
    )

  test('accepts a server that answers with 200, and no other and no absent one', async t => {
    const server = createServer((request, response) =>
      response.writeHead(request.url === '/healthz' && request.headers.host ? 200 : 503).end('body'),
    )
    t.after(() => server.close())
    const { port } = new URL(await listen(server, '127.0.0.1', 0))
    assert.equal(await isHealthy(port, '/healthz'), true)
    assert.equal(await isHealthy(port, '/readyz'), false)
    server.close()
    assert.equal(await isHealthy(port, '/healthz'), false)
  })
})
