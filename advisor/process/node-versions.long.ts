import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { findFreePort } from '../../lib/http/listen.ts'
import { getNode } from '../../loadtest/nodes/installed.ts'
import { temporaryDirectory } from '../../test/temporary-directory.ts'

const folder = join(import.meta.dirname, '..')

before(() => {
  execFileSync(process.execPath, [join(folder, '../release/packages/build.ts'), 'advisor'])
})

/** A server whose time is its own, and JSON's. */
const SERVER = `const { createServer } = require('node:http')
const { Worker } = require('node:worker_threads')
new Worker('setInterval(() => {}, 1000)', { eval: true }).unref()
const list = Array.from({ length: 300 }, (_, id) => ({ id, name: 'order ' + id }))
function spend(n) { let sum = 0; for (let i = 0; i < n; i++) sum += Math.sqrt(i); return sum }
createServer((_, response) => { spend(3e4); response.end(JSON.stringify(list)) }).listen(process.env.PORT)`

/** A service may run on an older version than the package, which needs WebSocket. */
const OLDEST_SERVICE = '20.16'

/** The oldest versions that are supported, and the latest of each even number. */
for (const version of [OLDEST_SERVICE, '22.12', '22', '24', process.versions.node]) {
  test(`Node.js ${version} is watched by the package, which runs on it from 22.12 on`, async t => {
    const directory = temporaryDirectory(t, { 'server.js': SERVER })
    const node = getNode(version)
    const port = await findFreePort()
    const url = `http://127.0.0.1:${port}/`
    const times = ['--warmup', '500ms', '--for', '2s', '--json']
    const PATH = [dirname(node.path), process.env.PATH].join(delimiter)
    const { stdout } = await promisify(execFile)(
      version === OLDEST_SERVICE ? process.execPath : node.path,
      [join(folder, 'dist/main.js'), 'spectrum', '--url', url, ...times, '--', 'node', 'server.js'],
      { cwd: directory, env: { ...process.env, PATH, PORT: String(port) } },
    )
    const { nodeVersion, requests, main, workers, hop } = JSON.parse(stdout)
    assert.equal(nodeVersion, `v${node.version}`)
    assert.ok(requests > 0)
    assert.ok(main.cpuMs > 0)
    assert.equal(workers.length, 1)
    assert.ok(hop.mainThreadMicros > 0)
    const owners = main.shares.map(({ owner }: { owner: string }) => owner)
    for (const owner of ['server.js', 'JSON', 'HTTP and sockets']) assert.ok(owners.includes(owner), owner)
    assert.equal(typeof main.stoodStillShare, 'number')
  })
}
