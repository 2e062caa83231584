import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { createConcernOf } from '../concerns/concerns.ts'
import { createFindOwner } from '../owners/owner-of.ts'
import { never } from '../process/attach.fixture.ts'
import { profileCalmly } from '../watching/calm-window.ts'
import type { ThreadWindow } from '../watching/thread.ts'
import { watchProcess } from '../watching/watch-process.ts'
import { askTotals, type Parts, startProgram, writeProgram } from './known-parts.fixture.ts'
import { type Attribution, splitWindow } from './spectrum.ts'

const WINDOW_MS = 6000
const ALLOWED = 0.05

/** The owner of each part. Two are packages, which are CommonJS, and one is TypeScript. */
const owners = { own: 'src', left: 'left', pino: 'pino', json: 'JSON', crypto: 'crypto' }

test('each part of a program is told within five points', async t => {
  const child = await startProgram(t, writeProgram(t))
  const pid = child.pid as number
  const truths = new Map<ThreadWindow, Record<string, number>>()
  const [calmest] = await watchProcess(pid, never(), watched => {
    const profile = async (durationMs: number) => {
      const before = await askTotals(child)
      const windows = await watched.profile(durationMs)
      truths.set(windows[0], addByOwner(before, await askTotals(child)))
      return windows
    }
    return profileCalmly({ ...watched, profile }, WINDOW_MS)
  })
  const truth = truths.get(calmest) ?? {}
  const main = splitWindow(calmest, attributionOf(pid))
  const shares = sharesByOwner(main)
  t.diagnostic(JSON.stringify({ truth, shares, coverage: main.coverage, waitRatio: main.waitRatio }))
  assert.ok(Object.keys(truth).length > 0)
  for (const [owner, share] of Object.entries(truth)) {
    const found = shares[owner] ?? 0
    assert.ok(Math.abs(found - share) <= ALLOWED, `${owner}: ${found} instead of ${share}`)
  }
})

test('the parts of a worker thread are told apart, and the main thread is idle', async t => {
  const file = writeProgram(t)
  const starter = join(dirname(file), 'starter.mjs')
  writeFileSync(
    starter,
    `import { Worker } from 'node:worker_threads'\nnew Worker(new URL('main.mjs', import.meta.url), { stdin: true })`,
  )
  const child = await startProgram(t, starter)
  const [main, worker] = await takeSpectra(child.pid as number)
  assert.ok((main?.cpuMs ?? WINDOW_MS) < 0.1 * WINDOW_MS)
  assert.ok((main?.busyShare ?? 1) < 0.2)
  const shares = sharesByOwner(worker)
  assert.deepEqual(
    Object.keys(shares)
      .filter(owner => (shares[owner] ?? 0) > 0.05)
      .sort(),
    Object.values(owners).sort(),
  )
})

const attributionOf = (pid: number): Attribution => ({
  findOwner: createFindOwner(`/proc/${pid}/cwd`),
  concernOf: createConcernOf(),
})

async function takeSpectra(pid: number) {
  const windows = await watchProcess(pid, never(), watched => watched.profile(WINDOW_MS))
  return windows.map(window => splitWindow(window, attributionOf(pid)))
}

/** Shares of the time that was explained, with garbage. */
function sharesByOwner(
  thread: Awaited<ReturnType<typeof takeSpectra>>[number] | undefined,
): Record<string, number> {
  const shares: Record<string, number> = {}
  for (const { owner, share, gcShare } of thread?.shares ?? []) {
    shares[owner] = (shares[owner] ?? 0) + (share + gcShare) / (1 - (thread?.missedShare ?? 0))
  }
  return shares
}

/** The share of each owner, by what the program has measured. */
function addByOwner(before: Parts, after: Parts): Record<string, number> {
  const spent = Object.entries(owners).map(
    ([part, owner]) => [owner, (after[part] ?? 0) - (before[part] ?? 0)] as const,
  )
  const total = spent.reduce((sum, [, each]) => sum + each, 0)
  return Object.fromEntries(spent.map(([owner, each]) => [owner, each / total]))
}

test('a thread that stands still in calls that wait is told so, whatever its CPU time', async t => {
  const file = writeProgram(t)
  const waiting = join(dirname(file), 'waiting.mjs')
  writeFileSync(
    waiting,
    `const cell = new Int32Array(new SharedArrayBuffer(4))
setInterval(() => Atomics.wait(cell, 0, 0, 50), 1)
console.log('ready')`,
  )
  const child = await startProgram(t, waiting)
  const [main] = await takeSpectra(child.pid as number)
  assert.ok((main?.stoodStillShare ?? 0) > 0.5, String(main?.stoodStillShare))
  assert.ok((main?.cpuMs ?? WINDOW_MS) < 0.3 * WINDOW_MS)
})
