import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import protobuf from 'protobufjs'
import { textFrame } from '../../apm-agent/frames.ts'
import type { ProcessUsage } from '../../lib/os/usage.ts'
import { bytesToMiB } from '../../lib/units.ts'
import { agentOf, receivedSpans, routeOf, start, startTracedStack } from './apm-stack.ts'
import { type Fault, PAUSE_MS, startRequests, until } from './fault.ts'

const EMPTY_MESSAGES = 2_000_000
const MOST_GROWTH_MIB = 64
/** A body that does not end has 15 s. */
const BODY_LIMIT_MS = 20_000

/** Faults that send a value which is malformed, or becomes much larger than it looks. */
export const valueFaults: readonly Fault[] = [
  {
    name: 'an OTLP body of 4 kB with two million messages, beside records',
    seconds: 5,
    async run(directory) {
      const stack = await startTracedStack(directory)
      const requests = startRequests(routeOf(stack), 1, PAUSE_MS)
      await until(() => requests.answers() > 20)
      const url = stack.address('apm-agent')
      const before = await readMiB(url)
      const inner = Buffer.alloc(2 * EMPTY_MESSAGES)
      for (let at = 0; at < inner.length; at += 2) inner[at] = 0x12
      const body = gzipSync(protobuf.Writer.create().uint32(0x0a).bytes(inner).finish())
      const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' }
      for (const path of ['/v1/traces', '/v1/metrics', '/v1/traces'])
        assert.equal((await fetch(url + path, { method: 'POST', headers, body })).status, 400)
      const grown = (await readMiB(url)) - before
      const { good, failed } = await requests.stop()
      const { spans } = await stack.stop()
      assert.equal(failed, 0)
      assert.ok(grown < MOST_GROWTH_MIB, `memory grew by ${grown.toFixed(0)} MiB`)
      assert.equal(spans?.emitted, spans?.delivered)
      return `refused; memory ${grown < 0 ? '' : '+'}${grown.toFixed(0)} MiB; ${good} requests, ${spans?.delivered} spans, none lost`
    },
  },
  {
    name: 'malformed points, strings and pulses on the connection of an app',
    seconds: 0,
    async run(directory) {
      const apmSocket = join(directory, 'agent.sock')
      const agent = await start('apm-agent', { apmSocket })
      const app = connect(apmSocket)
      const point = (value: unknown) => ({ metric: 'app.pool.size', value })
      app.write(
        Buffer.concat([
          textFrame('hello', JSON.stringify({ resource: { 'service.instance.id': 'a' }, timeOriginMs: 1 })),
          textFrame('strings', '{"firstId":1,"strings":[1,"/a"]}'),
          textFrame('pulse', '{}'),
          textFrame('points', JSON.stringify([point(null), point(1), point('1'), point(2)]), 1),
          textFrame('points', 'no JSON', 2),
          textFrame('points', JSON.stringify([point(3)]), 3),
        ]),
      )
      await until(async () =>
        /points_received_total\{protocol="records"\} 3$/m.test(await readMetrics(agent.addresses.http)),
      )
      assert.match(await readMetrics(agent.addresses.http), /decode_errors_total\{reason="content"\} 4$/m)
      app.destroy()
      const { metricPoints } = await agent.stop()
      assert.deepEqual([metricPoints?.delivered, metricPoints?.dropped], [3, 3])
      return '3 points taken, 3 dropped and counted on one connection, which went on'
    },
  },
  {
    name: 'bodies that never end, beside records',
    seconds: 20,
    company: 'many',
    async run(directory) {
      const stack = await startTracedStack(directory)
      const { hostname, port } = new URL(stack.address('apm-agent'))
      const startedAtMs = performance.now()
      const senders = Array.from({ length: 50 }, () => {
        const sender = connect(Number(port), hostname)
        sender.on('error', () => {})
        sender
          .resume()
          .write(
            'POST /v1/traces HTTP/1.1\r\nHost: localhost\r\ncontent-type: application/x-protobuf\r\ncontent-length: 4000000\r\n\r\n',
          )
        return new Promise(resolve => sender.once('close', resolve))
      })
      const requests = startRequests(routeOf(stack), 1, PAUSE_MS)
      await Promise.all(senders)
      const tookMs = performance.now() - startedAtMs
      const { good, failed } = await requests.stop()
      await until(async () => (await receivedSpans(agentOf(stack))) > good)
      const { spans } = await stack.stop()
      assert.equal(failed, 0)
      assert.ok(tookMs < BODY_LIMIT_MS, `they were held for ${tookMs.toFixed(0)} ms`)
      assert.equal(spans?.emitted, spans?.delivered)
      return `${senders.length} ended after ${(tookMs / 1000).toFixed(0)} s; ${good} requests meanwhile, ${spans?.delivered} spans, none lost`
    },
  },
]

const readMetrics = async (url: string | undefined) => (await fetch(`${url}/metrics`)).text()

async function readMiB(url: string): Promise<number> {
  const { residentBytes } = (await (await fetch(`${url}/usage`)).json()) as ProcessUsage
  return bytesToMiB(residentBytes)
}
