import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '../../lib/free-port.ts'
import { listeningPorts } from '../process/proc.ts'

const MAIN = join(import.meta.dirname, '../main.ts')
const directory = mkdtempSync(join(tmpdir(), 'adversity-'))
after(() => rmSync(directory, { recursive: true }))

const answering = (body: string) =>
  `require('node:http').createServer((_, response) => response.end(${body})).listen(process.env.PORT, () => console.log('ready'))`
const programs = {
  'same.js': answering(`'same'`),
  'other.js': answering(`'other'`),
  'counting.js': `let count = 0; ${answering('String(count++)')}`,
  'failing.js': `require('node:http').createServer((_, response) => response.writeHead(500).end()).listen(process.env.PORT)`,
  'dying.js': `setTimeout(() => process.exit(3), 2500); ${answering(`'same'`)}`,
  // Its worker thread starts with the first request.
  'lazy.js': `let worker
require('node:http').createServer((_, response) => {
  worker ??= new (require('node:worker_threads').Worker)('setInterval(() => {}, 1000)', { eval: true })
  response.end('same')
}).listen(process.env.PORT)`,
  // It stands still until it gets a byte: at its start, and after SIGUSR2.
  'blocking.js': `const block = () => require('node:fs').readSync(0, Buffer.alloc(1))
process.on('SIGUSR2', block)
console.log('ready')
setImmediate(block)
setInterval(() => {}, 1000)`,
  'ending.js': `process.exit(7)`,
  'deaf.js': `setInterval(() => {}, 1000)`,
  // Without /proc, as on other systems than Linux.
  'no-proc.cjs': `const fs = require('node:fs')
for (const name of ['readFileSync', 'readdirSync', 'readlinkSync']) {
  const real = fs[name]
  fs[name] = (path, ...rest) => {
    if (String(path).startsWith('/proc')) throw new Error('there is no /proc')
    return real(path, ...rest)
  }
}
require('node:module').syncBuiltinESMExports()`,
}
for (const [name, text] of Object.entries(programs)) writeFileSync(join(directory, name), text)

function start(args: readonly string[], { port = 0, flags = [] as readonly string[] } = {}) {
  const child = spawn(process.execPath, [...flags, MAIN, ...args], {
    cwd: directory,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', text => (said.stdout += text))
  child.stderr.on('data', text => (said.stderr += text))
  const ended = once(child, 'close').then(([code]) => ({ code, ...said }))
  return { child, ended }
}

/** Runs a command that has to fail, and returns the last line that it says. */
async function complaintOf(...started: Parameters<typeof start>): Promise<string> {
  const { code, stderr } = await start(...started).ended
  assert.equal(code, 1, stderr)
  assert.doesNotMatch(stderr, /^ {4}at /m)
  return stderr.trim().split('\n').at(-1) ?? ''
}

const versus = (before: string, after: string, ...rest: string[]) => [
  ...['versus', '--before', `node ${before}`, '--after', `node ${after}`, '--accept-noise'],
  ...['--blocks', '2', '--warmup', '100ms', '--for', '200ms', ...rest],
]

test('versus refuses services that do not do the same work, in one line', async () => {
  assert.match(await complaintOf(versus('same.js', 'other.js')), /different bodies.*--any-body/)
  assert.match(await complaintOf(versus('same.js', 'failing.js')), /after: \d+ of \d+ requests failed/)
  assert.match(await complaintOf(versus('same.js', 'ending.js')), /ended \(exit code 7\); run it by itself/)
  assert.match(await complaintOf(versus('same.js', 'deaf.js', '--ready', '1s')), /does not listen on port/)
  assert.match(await complaintOf(versus('same.js', 'same.js', '--url', 'x')), /expects a path/)
})

test('versus compares answers that vary on both sides, and says that it did not compare their bodies', async () => {
  const { code, stdout } = await start(versus('counting.js', 'counting.js')).ended
  assert.equal(code, 0)
  assert.match(stdout, /Bodies vary/)
})

test('versus without /proc compares what it can measure', async () => {
  const hidden = { flags: ['--require', join(directory, 'no-proc.cjs')] }
  const { code, stdout, stderr } = await start(versus('same.js', 'same.js'), hidden).ended
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^responses\/s/m)
  assert.doesNotMatch(stdout, /µs\/response|NaN/)
})

test('spectrum refuses what is no profile, and a second subject', async () => {
  for (const text of [
    'null',
    '[]',
    '{"nodes":[{}],"samples":[1],"timeDeltas":[1]}',
    '{"nodes":[],"samples":[]}',
  ]) {
    writeFileSync(join(directory, 'wrong.cpuprofile'), text)
    assert.match(
      await complaintOf(['spectrum', '--profile', 'wrong.cpuprofile']),
      /is no CPU profile of V8/,
      text,
    )
  }
  assert.match(await complaintOf(['spectrum', '--profile', 'absent']), /cannot be read/)
  assert.match(
    await complaintOf(['spectrum', '--profile', 'a', '--attach', '1']),
    /neither a command nor --attach/,
  )
  assert.match(await complaintOf(['spectrum', '--', 'no-such-command']), /cannot be started \(ENOENT\)/)
})

test('spectrum without /proc says what to do', async () => {
  const hidden = { flags: ['--require', join(directory, 'no-proc.cjs')] }
  assert.match(await complaintOf(['spectrum', '--attach', '1'], hidden), /on Linux only.*--cpu-prof/)
})

test('spectrum of a service that answers with errors warns of them', async () => {
  const port = await findFreePort()
  const args = ['spectrum', '--url', `http://127.0.0.1:${port}/`, '--warmup', '100ms', '--for', '500ms']
  const { code, stderr } = await start([...args, '--', 'node', 'failing.js'], { port }).ended
  assert.equal(code, 0, stderr)
  assert.match(stderr, /^warning: (\d+) of \1 requests failed/m)
})

test('spectrum has the worker threads that start under load', async () => {
  const port = await findFreePort()
  const args = ['spectrum', '--json', '--url', `http://127.0.0.1:${port}/`, '--warmup', '1s', '--for', '500ms']
  const { code, stdout, stderr } = await start([...args, '--', 'node', 'lazy.js'], { port }).ended
  assert.equal(code, 0, stderr)
  assert.equal(JSON.parse(stdout).workers.length, 1)
})

test('spectrum and watch of a service that dies say so in one line', async () => {
  for (const command of ['spectrum', 'watch']) {
    const port = await findFreePort()
    const args = [command, '--url', `http://127.0.0.1:${port}/`, '--', 'node', 'dying.js']
    assert.match(await complaintOf(args, { port }), /^error: .*(ended|there is no process)/, command)
  }
})

/** Starts a service that knows nothing of this command. @returns its id, and the ports on which it listens */
async function startAlone(t: TestContext, file = 'same.js', inspectorPort = 0) {
  const service = spawn(process.execPath, [`--inspect-port=${inspectorPort}`, file], {
    cwd: directory,
    env: { ...process.env, PORT: String(await findFreePort()) },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  t.after(() => service.kill('SIGKILL'))
  await once(service.stdout, 'data')
  const pid = service.pid as number
  return { service, pid, ports: listeningPorts(pid) }
}

test('Ctrl-C in the middle ends what was started, and closes what was opened', async t => {
  const { service, pid, ports } = await startAlone(t)
  const { child, ended } = start(['spectrum', '--attach', String(pid), '--for', '1m'])
  while (child.exitCode === null && listeningPorts(pid)?.length === ports?.length) await delay(10)
  child.kill('SIGINT')
  const { code, stderr } = await ended
  assert.equal(code, 1)
  assert.equal(stderr, 'error: stopped\n')
  assert.deepEqual(listeningPorts(pid), ports)
  assert.equal(service.exitCode, null)
})

test('a reader who has seen enough ends watch, which closes what it has opened', async t => {
  const { service, pid, ports } = await startAlone(t)
  const { child, ended } = start(['watch', '--attach', String(pid), '--every', '500ms'])
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const { code, stderr } = await ended
  assert.equal(code, 0)
  assert.match(stderr, /^(Watching cost: .*\n)?$/)
  assert.deepEqual(listeningPorts(pid), ports)
  assert.equal(service.exitCode, null)
})

test('a main thread that stands still is waited for, until a second Ctrl-C', async t => {
  const { service, pid } = await startAlone(t, 'blocking.js')
  const { child, ended } = start(['watch', '--attach', String(pid), '--every', '500ms'])
  const [warning] = await once(child.stderr, 'data')
  assert.match(String(warning), /has not opened its inspector yet: .*synchronous call.*\n$/)
  service.stdin.write('.')
  await once(child.stdout, 'data')
  service.kill('SIGUSR2')
  while (child.exitCode === null) {
    child.kill('SIGINT')
    await delay(400)
  }
  assert.equal((await ended).code, 130)
})

test('a process whose inspector finds its port taken is refused in one line', async t => {
  const server = createServer().listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { pid } = await startAlone(t, 'same.js', port)
  assert.match(
    await complaintOf(['spectrum', '--attach', String(pid)]),
    new RegExp(`another process listens on its port ${port}: .*--inspect-port=0`),
  )
})
