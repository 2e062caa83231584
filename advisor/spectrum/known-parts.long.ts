import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { build } from 'esbuild'
import { createConcernOf } from '../concerns/concerns.ts'
import { createFindOwner } from '../owners/owner-of.ts'
import { never } from '../process/attach.fixture.ts'
import { profileCalmly } from '../watching/calm-window.ts'
import type { ThreadWindow } from '../watching/thread.ts'
import { watchProcess } from '../watching/watch-process.ts'
import { askTotals, type Form, type Parts, startProgram, writeProgram } from './known-parts.fixture.ts'
import { type Attribution, splitWindow } from './spectrum.ts'

const WINDOW_MS = 6000
const ALLOWED = 0.05

/** The owner of each part, in a program whose files can be told apart. */
const owners = { own: 'src', left: 'left', pino: 'pino', json: 'JSON', crypto: 'crypto' }
const inBundle = 'bundle without source map'

const forms: readonly Form[] = ['esm', 'cjs', 'typescript']
for (const form of forms) {
  test(`each part of a program is told within five points: ${form}`, async t => {
    await checkParts(t, writeProgram(t, form), owners)
  })
}

const bundles = [
  {
    name: 'a bundle that is minified, with a source map, is told by its parts',
    settings: { minify: true, sourcemap: true },
    told: owners,
  },
  {
    name: 'a bundle that is minified, without a source map, is told as such',
    settings: { minifyWhitespace: true },
    told: { own: inBundle, left: inBundle, pino: inBundle, json: 'JSON', crypto: 'crypto' },
  },
]
for (const { name, settings, told } of bundles) {
  test(name, async t => {
    const file = writeProgram(t, 'esm')
    const absWorkingDir = dirname(dirname(file))
    const outfile = join(absWorkingDir, 'dist/main.mjs')
    const common = { bundle: true, platform: 'node', format: 'esm' } as const
    await build({ ...common, ...settings, absWorkingDir, entryPoints: [file], outfile })
    await checkParts(t, outfile, told)
  })
}

test('the parts of a worker thread are told apart, and the main thread is idle', async t => {
  const file = writeProgram(t, 'esm')
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

async function checkParts(t: TestContext, file: string, ownerOf: Readonly<Record<string, string>>) {
  const child = await startProgram(t, file)
  const pid = child.pid as number
  const truths = new Map<ThreadWindow, Record<string, number>>()
  const [calmest] = await watchProcess(pid, never(), watched => {
    const profile = async (durationMs: number) => {
      const before = await askTotals(child)
      const windows = await watched.profile(durationMs)
      truths.set(windows[0], addByOwner(before, await askTotals(child), ownerOf))
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
}

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

function addByOwner(
  before: Parts,
  after: Parts,
  ownerOf: Readonly<Record<string, string>>,
): Record<string, number> {
  const spent: Record<string, number> = {}
  for (const [part, owner] of Object.entries(ownerOf)) {
    spent[owner] = (spent[owner] ?? 0) + (after[part] ?? 0) - (before[part] ?? 0)
  }
  const total = Object.values(spent).reduce((sum, each) => sum + each, 0)
  return Object.fromEntries(Object.entries(spent).map(([owner, each]) => [owner, each / total]))
}

test('a thread that stands still in calls that wait is told so, whatever its CPU time', async t => {
  const file = writeProgram(t, 'esm')
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
