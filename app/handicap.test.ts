import assert from 'node:assert/strict'
import { Server } from 'node:http'
import { test } from 'node:test'
import { handicap } from './handicap.ts'

/** Keeps the main thread busy for this time. */
function work(durationMs: number): void {
  for (const untilMs = performance.now() + durationMs; performance.now() < untilMs; ) Math.hypot(1, 2)
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

test('a handicap burns its share of the CPU time that the main thread uses by itself', () => {
  const server = new Server()
  const beforeMs = usedMs()
  const burntMs = handicap(server, 20)
  for (let request = 0; request < 1000; request++) {
    work(1)
    server.emit('request')
  }
  const ownMs = usedMs() - beforeMs - burntMs()
  assert.ok(burntMs() > 10, 'something is burnt')
  const percent = (burntMs() / ownMs) * 100
  assert.ok(Math.abs(percent - 20) < 1.5, `${percent.toFixed(2)} %`)
})
