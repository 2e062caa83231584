import assert from 'node:assert/strict'
import { channel } from 'node:diagnostics_channel'
import { test } from 'node:test'
import { handicap } from '../loadtest/sample/handicap.ts'

/** Keeps the main thread busy for this time. */
function work(durationMs: number): void {
  for (const untilMs = performance.now() + durationMs; performance.now() < untilMs; ) Math.hypot(1, 2)
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

test('a handicap burns its share of the CPU time that the main thread uses by itself', t => {
  const beforeMs = usedMs()
  const { readBurntMs, end } = handicap(20)
  t.after(end)
  for (let request = 0; request < 1000; request++) {
    work(1)
    channel('http.server.request.start').publish({})
  }
  const ownMs = usedMs() - beforeMs - readBurntMs()
  assert.ok(readBurntMs() > 10, 'something is burnt')
  const percent = (readBurntMs() / ownMs) * 100
  assert.ok(Math.abs(percent - 20) < 1.5, `${percent.toFixed(2)} %`)
})
