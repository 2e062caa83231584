import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { findFreePort } from '../../lib/http/listen.ts'
import { getNode } from '../../loadtest/nodes/installed.ts'
import { temporaryDirectory } from '../../test/temporary-directory.ts'
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

/** A server with a worker thread. V8 inlines `right` and `left` in its main file. */
const files = {
  'package.json': '{ "name": "warm" }',
  'node_modules/right/index.js': `${loop(90, 'seed')}\nmodule.exports = run`,
  'node_modules/left/index.js': `const right = require('right')${loop(30, 'right(seed)')}\nmodule.exports = run`,
  'src/main.js': `const left = require('left')${loop(60, 'left(seed)')}
const { createServer } = require('node:http')
const { Worker } = require('node:worker_threads')
let total = 0
function batch() { for (let n = 0; n < 100; n++) total += run(n) }
setInterval(() => { for (const end = performance.now() + 4; performance.now() < end;) batch() }, 6)
new Worker('setInterval(() => {}, 1000)', { eval: true }).unref()
const list = Array.from({ length: 100 }, (_, id) => ({ id, name: 'order ' + id }))
const server = createServer((_, response) => response.end(JSON.stringify(list)))
server.listen(process.argv[2], () => console.log('ready'))`,
}
const truth = { right: 90 / 180, left: 30 / 180, src: 60 / 180 }
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
    const directory = temporaryDirectory(t, files)
    const { pid = 0 } = await startNode(t, ['src/main.js', port], directory, node.path)
    const ask = async (...flags: readonly string[]) => {
      const url = `http://127.0.0.1:${port}/`
      const words = ['spectrum', '--attach', String(pid), '--url', url, '--connections', '1', ...flags, '--json']
      // From 22.12 on, the package runs on the same version.
      const program = version === OLDEST_SERVICE ? process.execPath : node.path
      const { stdout } = await promisify(execFile)(program, [join(folder, 'dist/main.js'), ...words])
      const report = JSON.parse(stdout)
      const parts: [string, number][] = report.main.shares
        .filter(({ owner }: { owner: string }) => owner in truth)
        .map(({ owner, share }: { owner: string; share: number }) => [owner, share])
      const total = parts.reduce((sum, [, share]) => sum + share, 0)
      return { ...report, parts: Object.fromEntries(parts.map(([owner, share]) => [owner, share / total])) }
    }
    const { nodeVersion, requests, main, workers, hop, parts } = await ask('--warmup', '3s', '--for', '8s')
    t.diagnostic(JSON.stringify(parts))
    assert.equal(nodeVersion, `v${node.version}`)
    assert.ok(requests > 0 && main.cpuMs > 0 && hop.mainThreadMicros > 0)
    assert.equal(workers.length, 1)
    assert.equal(typeof main.stoodStillShare, 'number')
    const owners = main.shares.map(({ owner }: { owner: string }) => owner)
    for (const owner of ['JSON', 'HTTP and sockets']) assert.ok(owners.includes(owner), owner)
    for (const [owner, share] of Object.entries(truth))
      assert.ok(Math.abs((parts[owner] ?? 0) - share) <= ALLOWED, `${owner}: ${parts[owner]} instead of ${share}`)
    if (version === process.versions.node) return
    // Afterwards V8 inlines as before, as soon as it has optimized the code anew.
    let inlined = 0
    for (let attempt = 0; attempt < MOST_ATTEMPTS && inlined <= 0.6; attempt++)
      inlined = (await ask('--keep-code', '--warmup', '1s', '--for', '4s')).parts.src ?? 0
    assert.ok(inlined > 0.6, `src: ${inlined}`)
  })
}
