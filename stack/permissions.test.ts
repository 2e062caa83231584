import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { temporaryDirectory } from '../test/temporary-directory.ts'
import { compiledCodeOf, importedDirectories, permissionFlags } from './permissions.ts'

const run = promisify(execFile)

/**
 * Runs code with the permissions of a sidecar, with its files in a directory.
 * @returns the message of the thrown error, or the output
 */
async function runAs(
  t: TestContext,
  sidecar: string,
  code: (directory: string) => string,
  compiled?: string,
): Promise<string> {
  const directory = temporaryDirectory(t)
  const given = {
    logDir: join(directory, 'logs/segments'),
    logFile: join(directory, 'logs/app.log'),
    apmSocket: join(directory, 'run/agent.sock'),
  }
  const flags = permissionFlags(sidecar, given, compiled)
  const result = run(process.execPath, [...flags, '--input-type=module', '--eval', code(directory)])
  return result.then(
    ({ stdout, stderr }) => stdout + stderr,
    ({ stderr }) => /ERR_ACCESS_DENIED/.exec(stderr)?.[0] ?? stderr,
  )
}

const fs = (call: string) => `import fs from 'node:fs'; ${call}; console.log('done')`

const BOOT_FILE = '/proc/sys/kernel/random/boot_id'
const transport = 'logger-transport'
const agent = 'apm-agent'
const DONE = 'done\n'
const DENIED = 'ERR_ACCESS_DENIED'

const cases: [sidecar: string, what: string, code: (directory: string) => string, outcome: string][] = [
  [
    transport,
    'make its directories',
    d => fs(`fs.mkdirSync('${d}/logs/segments/a', { recursive: true })`),
    DONE,
  ],
  [
    transport,
    'write beside its log file',
    d => fs(`fs.mkdirSync('${d}/logs'); fs.writeFileSync('${d}/logs/app.log.1', '')`),
    DONE,
  ],
  [
    agent,
    'make its socket',
    d =>
      fs(`fs.mkdirSync('${d}/run');
      (await import('node:net')).createServer().listen('${d}/run/agent.sock').unref()`),
    DONE,
  ],
  [
    transport,
    'ask a writer whether it lives',
    d => `import fs from 'node:fs'; import net from 'node:net'
      fs.mkdirSync('${d}/logs/segments', { recursive: true })
      net.createServer().listen('${d}/logs/segments/alive').unref()
      net.connect('${d}/logs/segments/alive').once('connect', () => { console.log('done'); process.exit() })`,
    DONE,
  ],
  [
    transport,
    'read the environment of another process',
    () => fs(`fs.readFileSync('/proc/1/environ')`),
    DENIED,
  ],
  [transport, 'write elsewhere', d => fs(`fs.writeFileSync('${d}/other', '')`), DENIED],
  [agent, 'change the project', () => fs(`fs.writeFileSync('package.json', '')`), DENIED],
  [agent, 'read elsewhere', () => fs(`fs.readFileSync('/etc/passwd')`), DENIED],
  [transport, 'start a process', () => `import { spawn } from 'node:child_process'; spawn('true')`, DENIED],
  [
    agent,
    'start a thread',
    () => `import { Worker } from 'node:worker_threads'; new Worker('', { eval: true })`,
    DENIED,
  ],
]
if (existsSync(BOOT_FILE))
  cases.push([transport, 'tell which kernel runs', () => fs(`fs.readFileSync('${BOOT_FILE}')`), DONE])
for (const [sidecar, what, code, outcome] of cases)
  test(`${sidecar} ${outcome === DONE ? 'may' : 'may not'} ${what}`, async t =>
    assert.equal(await runAs(t, sidecar, code), outcome))

test('a sidecar keeps compiled code in a directory of its own, which the app does not read', async t => {
  const directory = temporaryDirectory(t)
  const all = { NODE_COMPILE_CACHE: directory }
  const own = compiledCodeOf(agent, all) as string
  assert.equal(compiledCodeOf('app', all), directory)
  assert.equal(compiledCodeOf(agent, {}), undefined)
  const write = (place: string) =>
    runAs(
      t,
      agent,
      () => fs(`fs.mkdirSync('${own}', { recursive: true }); fs.writeFileSync('${place}/a', '')`),
      own,
    )
  assert.equal(await write(own), DONE)
  assert.equal(await write(directory), DENIED)
})

test('a sidecar that writes to / may read and write everywhere', () => {
  const flags = permissionFlags('logger-transport', { logDir: 'logs/segments', logFile: '/app.log' })
  assert.deepEqual(
    flags.filter(flag => flag.startsWith('--allow-fs')),
    ['--allow-fs-read=/*', '--allow-fs-write=/*'],
  )
})

test('a process that is not a sidecar has no flags', () => assert.deepEqual(permissionFlags('app', {}), []))

test('a sidecar may import packages when node_modules is a link, or stands in a directory above', t => {
  const root = realpathSync(temporaryDirectory(t))
  const [project, store, above] = [join(root, 'project'), join(root, 'store'), join(root, 'node_modules')]
  for (const directory of [project, store, above]) mkdirSync(directory)
  symlinkSync(store, join(project, 'node_modules'))
  const directories = importedDirectories(project)
  for (const each of [project, store, above]) assert.ok(directories.includes(each), each)
})
