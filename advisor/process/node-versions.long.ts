import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { findFreePort } from '../../lib/http/listen.ts'
import { record } from '../../lib/record.ts'
import { getNode } from '../../loadtest/nodes/installed.ts'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
import type { Share } from '../spectrum/spectrum.ts'
import { startNode } from './attach.fixture.ts'

const folder = join(import.meta.dirname, '..')

before(() => {
  execFileSync(process.execPath, [join(folder, '../release/packages/build.ts'), 'advisor'])
})

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

/**
 * A program that measures the time of its own parts, and tells it to whoever asks. V8 inlines `right` and `left` in its main
 * file. The kernel counts the CPU time of a thread in ticks of several milliseconds, so the clock of the wall is read: waiting
 * for a core makes all parts longer alike.
 */
const files = {
  'package.json': '{ "name": "warm" }',
  'node_modules/right/index.js': `${loop(90, 'seed')}\nmodule.exports = run`,
  'node_modules/left/index.js': `const right = require('right')${loop(30, 'right(seed)')}\nmodule.exports = run`,
  'src/main.js': `const left = require('left')${loop(60, 'left(seed)')}
const { pbkdf2Sync } = require('node:crypto')
const { createServer } = require('node:http')
const { Worker } = require('node:worker_threads')
let total = 0
function batch() { for (let n = 0; n < 100; n++) total += run(n) }
const text = JSON.stringify(Array.from({ length: 2000 }, (_, id) => ({ id, name: 'order ' + id, total: id * 1.5 })))
const parts = {
  loops() { for (const end = performance.now() + 4; performance.now() < end;) batch() },
  json: () => JSON.stringify(JSON.parse(text)),
  crypto: () => pbkdf2Sync('secret', 'salt', 2000, 32, 'sha256'),
}
const totals = { loops: 0, json: 0, crypto: 0 }
setInterval(() => {
  for (const [name, part] of Object.entries(parts)) {
    const before = performance.now()
    part()
    totals[name] += performance.now() - before
  }
}, 8)
new Worker('setInterval(() => {}, 1000)', { eval: true }).unref()
const server = createServer((_, response) => response.end(JSON.stringify(totals)))
server.listen(process.argv[2], () => console.log('ready'))`,
}
type Totals = Readonly<Record<'loops' | 'json' | 'crypto', number>>
/** The owner of each part; the loops are those of three owners, by their numbers of turns. */
const truthOf = ({ loops, json, crypto }: Totals) =>
  sharesOf({
    right: loops * (90 / 180),
    left: loops * (30 / 180),
    src: loops * (60 / 180),
    JSON: json,
    crypto,
  })

function sharesOf(spent: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  const total = Object.values(spent).reduce((sum, each) => sum + each, 0)
  return Object.fromEntries(Object.entries(spent).map(([owner, each]) => [owner, each / total]))
}

const owners = ['right', 'left', 'src', 'JSON', 'crypto']
const ALLOWED = 0.05

/** A service may run on an older version than the package, which needs WebSocket. */
const OLDEST_SERVICE = '20.16'
/** Profiles that are taken until V8 has optimized the code again. */
const MOST_ATTEMPTS = 5

/** The oldest versions that are supported, and the latest of each even number. */
for (const version of [OLDEST_SERVICE, '22.12', '22', '24', process.versions.node]) {
  test(`Node.js ${version} is watched by the package, and each part is told within five points, though V8 had inlined it`, async t => {
    const node = getNode(version)
    const port = String(await findFreePort())
    const url = `http://127.0.0.1:${port}/`
    const directory = temporaryDirectory(t, files)
    const { pid = 0 } = await startNode(t, ['src/main.js', port], directory, node.path)
    const ask = async (...flags: readonly string[]) => {
      const words = [
        'spectrum',
        '--attach',
        String(pid),
        '--url',
        url,
        '--connections',
        '1',
        ...flags,
        '--json',
      ]
      // From 22.12 on, the package runs on the same version.
      const program = version === OLDEST_SERVICE ? process.execPath : node.path
      const { stdout } = await promisify(execFile)(program, [join(folder, 'dist/main.js'), ...words])
      const report = JSON.parse(stdout)
      const shares: readonly Share[] = report.main.shares.filter(({ owner }: Share) => owners.includes(owner))
      const parts = sharesOf(record(owners, owner => sumOf(shares.filter(each => each.owner === owner))))
      return { ...report, parts }
    }
    const { nodeVersion, requests, main, workers, hop, parts } = await ask('--warmup', '3s', '--for', '8s')
    const truth = truthOf((await (await fetch(url)).json()) as Totals)
    t.diagnostic(JSON.stringify({ parts, truth }))
    assert.equal(nodeVersion, `v${node.version}`)
    assert.ok(requests > 0 && main.cpuMs > 0 && hop.mainThreadMicros > 0)
    assert.equal(workers.length, 1)
    assert.equal(typeof main.stoodStillShare, 'number')
    for (const [owner, share] of Object.entries(truth))
      assert.ok(
        Math.abs((parts[owner] ?? 0) - share) <= ALLOWED,
        `${owner}: ${parts[owner]} instead of ${share}`,
      )
    if (version === process.versions.node) return
    // Afterwards V8 inlines as before, as soon as it has optimized the code anew.
    let inlined = 0
    for (let attempt = 0; attempt < MOST_ATTEMPTS && inlined <= 0.6; attempt++) {
      const {
        src = 0,
        left = 0,
        right = 0,
      } = (await ask('--keep-code', '--warmup', '1s', '--for', '4s')).parts
      inlined = src / (src + left + right)
    }
    assert.ok(inlined > 0.6, `src: ${inlined}`)
  })
}

const sumOf = (shares: readonly Share[]) =>
  shares.reduce((sum, { share, gcShare }) => sum + share + gcShare, 0)
