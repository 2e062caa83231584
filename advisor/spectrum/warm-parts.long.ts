import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { getNode } from '../../loadtest/nodes/installed.ts'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import { createConcernOf } from '../concerns/concerns.ts'
import { createFindOwner } from '../owners/owner-of.ts'
import { never, startNode } from '../process/attach.fixture.ts'
import { MOST_WINDOWS, profileCalmly } from '../watching/calm-window.ts'
import { watchProcess } from '../watching/watch-process.ts'
import { readSeenTime } from './parts.ts'

/** Profiles that are taken until V8 has optimized the code again. */
const MOST_ATTEMPTS = 5
const WARM_MS = 3000
const WINDOW_MS = 8000
const ALLOWED = 0.05

/** A loop of so many turns. It is the same in all files, so that their numbers of turns are their parts of the time. */
const loop = (turns: number, first: string) => `
const orders = Array.from({ length: 64 }, (_, id) => ({ id, name: 'order ' + id }))
function run(seed) {
  let sum = ${first}
  for (let n = 0; n < ${turns}; n++) {
    const order = orders[(sum + n) & 63]
    sum = (sum + order.name.charCodeAt(order.id % 7) + order.id) & 0xffff
  }
  return sum
}`

/** V8 inlines `right` and `left` in the main file. */
const files = {
  'package.json': '{ "name": "warm" }',
  'node_modules/right/index.js': `${loop(90, 'seed')}\nmodule.exports = run`,
  'node_modules/left/index.js': `const right = require('right')${loop(30, 'right(seed)')}\nmodule.exports = run`,
  'src/main.js': `const left = require('left')${loop(60, 'left(seed)')}
let total = 0
function batch() { for (let n = 0; n < 100; n++) total += run(n) }
setInterval(() => { for (const end = performance.now() + 4; performance.now() < end;) batch() }, 6)
console.log('ready')`,
}
const truth = { right: 90 / 180, left: 30 / 180, src: 60 / 180 }

for (const version of ['22', '24', process.versions.node]) {
  test(`each part of a warm program is told within five points, though V8 had inlined it: ${version}`, async t => {
    const directory = temporaryDirectory(t, files)
    const { pid = 0 } = await startNode(t, ['src/main.js'], directory, getNode(version).path)
    await delay(WARM_MS)
    const shares = await sharesOf(pid, directory)
    t.diagnostic(JSON.stringify(shares))
    for (const [owner, share] of Object.entries(truth))
      assert.ok(
        Math.abs((shares[owner] ?? 0) - share) <= ALLOWED,
        `${owner}: ${shares[owner]} instead of ${share}`,
      )
    if (version === process.versions.node) return
    // Afterwards V8 inlines as before, as soon as it has optimized the code anew.
    let inlined = 0
    for (let attempt = 0; attempt < MOST_ATTEMPTS && inlined <= 0.6; attempt++)
      inlined = (await sharesOf(pid, directory, true)).src ?? 0
    assert.ok(inlined > 0.6, `src: ${inlined}`)
  })
}

async function sharesOf(pid: number, directory: string, keepsCode = false): Promise<Record<string, number>> {
  const windows = keepsCode ? 1 : MOST_WINDOWS
  const [{ profile }] = await watchProcess(
    pid,
    never(),
    watched => profileCalmly(watched, WINDOW_MS, windows),
    { keepsCode },
  )
  const { byPart } = readSeenTime(profile, createFindOwner(directory), createConcernOf())
  const parts = [...byPart].filter(([{ owner }]) => owner in truth)
  const total = parts.reduce((sum, [, micros]) => sum + micros, 0)
  return Object.fromEntries(parts.map(([{ owner }, micros]) => [owner, micros / total]))
}
