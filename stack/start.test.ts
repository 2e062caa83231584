import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { appOptions } from '../app/config.ts'
import { selectOrders } from '../orders/catalogue.ts'
import { subsetSum } from '../workers/subset-sum.ts'

/** Limits that no busy machine reaches. */
const patient = { DMT_REQUEST_TIMEOUT: '1m', DMT_ORDERS_TIMEOUT: '1m', DMT_PART_TIMEOUT: '1m' }

/** The processes of `npm start`, on free ports, and the bodies that an OTLP receiver got from them. */
async function start(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'start-'))
  const logFile = join(directory, 'app.log')
  const exported: string[] = []
  const receiver = createServer(async (request, response) => {
    exported.push(`${request.url} ${await text(request)}`)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const otlpUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const env = { ...process.env, ...patient, OTEL_EXPORTER_OTLP_ENDPOINT: otlpUrl }
  const values = { logFile, logDir: join(directory, 'segments'), apmSocket: join(directory, 'agent.sock') }
  const flags = Object.entries(values).filter(([key]) => key in appOptions)
  const child = spawn(
    process.execPath,
    [
      join(import.meta.dirname, 'start.ts'),
      '--port=0',
      '--metric-interval=100ms',
      ...flags.map(([key, value]) => `--${key.replace(/[A-Z]/g, '-$&').toLowerCase()}=${value}`),
    ],
    { stdio: ['ignore', 'inherit', 'pipe'], env },
  )
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
    receiver.close()
    rmSync(directory, { recursive: true })
  })
  const addresses = await listening(child)
  const stop = async () => {
    child.kill('SIGINT')
    assert.deepEqual(await ended, [0, null])
  }
  return { url: addresses.app as string, agent: addresses['apm-agent'], logFile, exported, stop }
}

/** The first address of each process. The app says last that it listens. */
async function listening(child: ChildProcess): Promise<Record<string, string>> {
  const addresses: Record<string, string> = {}
  for await (const line of createInterface({ input: child.stderr as NodeJS.ReadableStream })) {
    const [, name, address] = /^([\w-]+) +(http\S+)/.exec(line) ?? []
    if (name && address) addresses[name] = address
    else process.stderr.write(`${line}\n`)
    if (name === 'app') break
  }
  return addresses
}

describe('the service with all of its processes', () => {
  test('answers every route, writes the lines of a request, and exports its metrics and spans', async t => {
    const { url, agent, logFile, exported, stop } = await start(t)
    const ask = async (path: string, headers = {}) => {
      const response = await fetch(url + path, { headers })
      return {
        status: response.status,
        type: response.headers.get('content-type'),
        body: await response.text(),
      }
    }

    assert.deepEqual(JSON.parse((await ask('/hello')).body), { hello: 'world' })
    assert.deepEqual(JSON.parse((await ask('/healthz')).body), { status: 'ok' })
    assert.deepEqual(JSON.parse((await ask('/cpu?size=9&seed=3')).body), subsetSum.run({ size: 9, seed: 3 }))

    const demo = await ask('/demo?seed=7', { 'x-request-id': 'one-demo' })
    assert.deepEqual(JSON.parse(demo.body), {
      seed: 7,
      tasks: [13, 8].map(size => subsetSum.run({ size, seed: 7 })),
      orders: selectOrders(15, 'mixed', 7),
    })

    const page = await ask('/page?seed=7&orders=20')
    assert.equal(page.type, 'text/html; charset=utf-8')
    for (const { id } of selectOrders(20, 'mixed', 7)) assert.match(page.body, new RegExp(`<h3>Order ${id}<`))
    assert.match(page.body, /<ul class="recommendations">(<li>.*?<\/li>){6}<\/ul>/)
    assert.match(page.body, /<\/html>/)

    const refused = await ask('/demo?seed=x')
    assert.deepEqual([refused.status, refused.type], [400, 'application/problem+json; charset=utf-8'])
    assert.equal(JSON.parse(refused.body).code, 'INVALID_QUERY')
    assert.equal((await ask('/nothing')).status, 404)

    const readMetrics = async () => (await fetch(`${agent}/metrics`)).text()
    if (agent) await t.waitFor(async () => assert.ok(countsRoute(await readMetrics())), { timeout: 60_000 })
    await stop()
    if (!agent)
      for (const name of ['GET /demo', 'GET', 'task subsetSum', 'render page']) assert.ok(has(name), name)
    const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n')
    const ofDemo = lines.map(line => JSON.parse(line)).filter(({ requestId }) => requestId === 'one-demo')
    assert.deepEqual(
      ofDemo.map(({ message, orderId }) => [message, orderId]),
      selectOrders(10, 'mixed', 7).map(({ id }) => ['order read', id]),
    )
    assert.equal(new Set(ofDemo.map(({ trace_id }) => trace_id)).size, 1)
    assert.match(ofDemo[0].trace_id, /^[0-9a-f]{32}$/)

    function has(span: string): boolean {
      return exported.some(body => body.startsWith('/v1/traces ') && body.includes(span))
    }
  })
})

/** Whether the metrics count the good request for `/demo`. */
const countsRoute = (metrics: string): boolean =>
  /^http_server_request_duration_count\{(?=.*http_route="\/demo")(?=.*status_code="200").*\} 1$/m.test(
    metrics,
  )
