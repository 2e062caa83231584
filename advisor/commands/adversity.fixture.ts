import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after } from 'node:test'
import { findFreePort } from '../../lib/http/listen.ts'
import { temporaryDirectory } from '../../test/temporary-directory.ts'

const MAIN = join(import.meta.dirname, '../main.ts')
const answering = (body: string) =>
  `require('node:http').createServer((_, response) => response.end(${body})).listen(process.env.PORT, () => console.log('ready'))`
const programs = {
  'same.js': answering(`'same'`),
  'other.js': answering(`'other'`),
  'counting.js': `let count = 0; ${answering('String(count++)')}`,
  'failing.js': `require('node:http').createServer((_, response) => response.writeHead(500).end()).listen(process.env.PORT)`,
  'protected.js': `process.stderr.write('it starts\\n')
require('node:http').createServer((request, response) => {
  response.writeHead(request.method === 'POST' && request.headers.authorization === 'Bearer t' ? 200 : 401).end()
}).listen(process.env.PORT)`,
  'elsewhere.js': `require('node:http').createServer((_, response) => response.end()).listen(0, '::1')`,
  'daemon.js': `const options = { detached: true, stdio: 'ignore' }
require('node:child_process').spawn(process.execPath, ['idle.js'], options).unref()`,
  'idle.js': 'setTimeout(() => {}, 10_000)',
  'echo.js': `require('node:net').createServer(socket => socket.pipe(socket).on('error', () => {})).listen(process.env.PORT)`,
  'dying.js': `setTimeout(() => process.exit(3), 2500); ${answering(`'same'`)}`,
  // Its worker thread starts some time after the first request.
  'lazy.js': `const { Worker } = require('node:worker_threads')
const startWorker = () => new Worker('setInterval(() => {}, 1000)', { eval: true })
let starting
require('node:http').createServer((_, response) => {
  starting ??= setTimeout(startWorker, 700)
  response.end('same')
}).listen(process.env.PORT)`,
  'cluster.js': `const cluster = require('node:cluster')
if (cluster.isPrimary) cluster.fork()
else ${answering(`'same'`)}`,
  // It stands still while there is a file `shut`: at its start, and after SIGUSR2.
  'blocking.js': `const block = () => require('node:child_process').execSync('while [ -e shut ]; do sleep 0.1; done')
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
/** The programs are here. It is removed when the tests of the file that imports this have run. */
export const directory = temporaryDirectory({ after }, programs)

/** Starts the command in the directory of the programs. @returns its process, and its end with all that it has said */
export function start(args: readonly string[], { port = 0, flags = [] as readonly string[] } = {}) {
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

/** Runs the command with a free port, for which `PORT` stands in its words. */
async function run(args: readonly string[], flags: readonly string[]) {
  const port = await findFreePort()
  return start(
    args.map(arg => arg.replace('PORT', String(port))),
    { port, flags },
  ).ended
}

/** Runs a command that has to succeed. @returns all that it has said */
export async function answerOf(args: readonly string[], flags: readonly string[] = []) {
  const { code, ...said } = await run(args, flags)
  assert.equal(code, 0, said.stderr)
  return said
}

/** Runs a command that has to fail. @returns the last line that it says */
export async function complaintOf(args: readonly string[], flags: readonly string[] = []): Promise<string> {
  const { code, stderr } = await run(args, flags)
  assert.equal(code, 1, stderr)
  assert.doesNotMatch(stderr, /^ {4}at /m)
  return stderr.trim().split('\n').at(-1) ?? ''
}
