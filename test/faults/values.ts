import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import protobuf from 'protobufjs'
import type { Fault } from './fault.ts'
import { PAUSE_MS, residentMiB, signedMiB, startLoaded } from './loaded-stack.ts'

const EMPTY_MESSAGES = 2_000_000
const MOST_GROWTH_MIB = 64
const ENDLESS =
  'POST /v1/traces HTTP/1.1\r\nHost: localhost\r\ncontent-type: application/x-protobuf\r\ncontent-length: 4000000\r\n\r\n'
const SENDERS = 50
/** A body that does not end has 15 s. */
const BODY_LIMIT_MS = 20_000

/** Faults that send a value which becomes much larger than it looks, or does not end. */
export const valueFaults: readonly Fault[] = [
  {
    name: 'OTLP bodies of 4 kB with two million messages, and bodies that never end, beside records',
    seconds: 20,
    async run(directory) {
      const { stack, requests, finish } = await startLoaded(directory, {
        path: '/cpu?size=1',
        clients: 1,
        pauseMs: PAUSE_MS,
      })
      await requests.answered(20)
      const url = stack.address('apm-agent')
      const before = await residentMiB(stack, 'apm-agent')
      const inner = Buffer.alloc(2 * EMPTY_MESSAGES)
      for (let at = 0; at < inner.length; at += 2) inner[at] = 0x12
      const body = gzipSync(protobuf.Writer.create().uint32(0x0a).bytes(inner).finish())
      const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' }
      for (const path of ['/v1/traces', '/v1/metrics', '/v1/traces'])
        assert.equal((await fetch(url + path, { method: 'POST', headers, body })).status, 400)
      const grown = (await residentMiB(stack, 'apm-agent')) - before
      assert.ok(grown < MOST_GROWTH_MIB, `memory grew by ${grown.toFixed(0)} MiB`)

      const startedAtMs = performance.now()
      const { hostname, port } = new URL(url)
      const ends = Array.from({ length: SENDERS }, () => {
        const sender = connect(Number(port), hostname).on('error', () => {})
        sender.resume().write(ENDLESS)
        return once(sender, 'close')
      })
      await Promise.all(ends)
      const tookMs = performance.now() - startedAtMs
      assert.ok(tookMs < BODY_LIMIT_MS, `they were held for ${tookMs.toFixed(0)} ms`)
      const { spans, says } = await finish()
      assert.equal(spans.dropped, 0)
      return `refused, memory ${signedMiB(grown)}; ${SENDERS} ended after ${(tookMs / 1000).toFixed(0)} s; ${says}`
    },
  },
]
