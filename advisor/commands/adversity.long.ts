import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findFreePort } from '../../lib/http/listen.ts'
import { complaintOf, directory, start } from './adversity.fixture.ts'

const versus = (before: string, after: string, ...rest: string[]) => [
  'versus',
  '--before',
  `node ${before}`,
  '--after',
  `node ${after}`,
  '--blocks',
  '2',
  '--warmup',
  '100ms',
  '--for',
  '200ms',
  ...rest,
]

/** A short spectrum of a program. */
async function spectrumOf(file: string, flags: readonly string[] = []) {
  const port = await findFreePort()
  const args = ['spectrum', '--url', `http://127.0.0.1:${port}/`, '--warmup', '100ms', '--for', '3s']
  return start([...args, ...flags, '--', 'node', file], { port }).ended
}
const hidden = { flags: ['--require', join(directory, 'no-proc.cjs')] }

for (const [what, args, message] of [
  ['other bodies', versus('same.js', 'other.js'), /different bodies.*--any-body/],
  ['failed requests', versus('same.js', 'failing.js'), /after: \d+ of \d+ requests failed/],
  ['a command that ends', versus('same.js', 'ending.js'), /ended \(exit code 7\); run it by itself/],
  ['a command that is deaf', versus('same.js', 'deaf.js', '--ready', '1s'), /does not listen on port/],
  ['no path', versus('same.js', 'same.js', '--url', 'x'), /expects a path/],
  ['no file of a profile', ['spectrum', '--profile', 'absent'], /cannot be read/],
  ['two subjects', ['spectrum', '--profile', 'a', '--attach', '1'], /neither a command nor --attach/],
  ['no command', ['spectrum', '--', 'no-such-command'], /cannot be started \(ENOENT\)/],
  [
    'a load that fails',
    ['spectrum', '--load-with', 'exit 3', '--', 'node', 'echo.js'],
    /failed \(exit code 3\): exit 3/,
  ],
] as const)
  test(`${args[0]} refuses ${what} in one line`, async () => {
    assert.match(await complaintOf(args, { port: await findFreePort() }), message)
  })

test('versus compares answers that vary on both sides, and says that it did not compare their bodies', async () => {
  const { code, stdout } = await start(versus('counting.js', 'counting.js')).ended
  assert.equal(code, 0)
  assert.match(stdout, /Bodies vary/)
})

test('without /proc, versus compares what it can measure, and spectrum says what to do', async () => {
  const { code, stdout, stderr } = await start(versus('same.js', 'same.js'), hidden).ended
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^responses\/s/m)
  assert.doesNotMatch(stdout, /µs\/response|NaN/)
  assert.match(await complaintOf(['spectrum', '--attach', '1'], hidden), /on Linux only.*--cpu-prof/)
})

test('spectrum refuses what is no profile', async () => {
  for (const text of ['null', '{"nodes":[{}],"samples":[1],"timeDeltas":[1]}']) {
    writeFileSync(join(directory, 'wrong.cpuprofile'), text)
    assert.match(await complaintOf(['spectrum', '--profile', 'wrong.cpuprofile']), /is no CPU profile/, text)
  }
})

for (const [file, flags, message] of [
  ['failing.js', [], /^error: (\d+) of \1 requests failed \(500: \1\).*--accept-errors/m],
  ['elsewhere.js', ['--ready', '1s'], /does not listen on port \d+ after 1 s; it listens on \d+$/m],
  ['daemon.js', [], /ended \(exit code 0\); .* left behind with --attach$/m],
] as const)
  test(`spectrum of ${file} is refused with the reason`, async () => {
    const { code, stderr } = await spectrumOf(file, flags)
    assert.equal(code, 1)
    assert.match(stderr, message)
  })

test('spectrum of a service that answers with errors may be accepted', async () => {
  const { code, stderr } = await spectrumOf('failing.js', ['--accept-errors'])
  assert.equal(code, 0, stderr)
  assert.match(stderr, /^warning: (\d+) of \1 requests failed/m)
})

test('spectrum sends what it is asked to, and shows what the service says on stderr', async () => {
  const token = ['--header', 'authorization: Bearer t', '--body', '{}']
  const { code, stdout, stderr } = await spectrumOf('protected.js', [...token, '--json'])
  assert.equal(code, 0, stderr)
  assert.ok(JSON.parse(stdout).requests > 0)
  assert.match(stderr, /^it starts$/m)
})

test('spectrum counts the messages of a service that a command of the user loads', async () => {
  const port = await findFreePort()
  const load = ['--load-with', `node chatting.js ${port}`, '--warmup', '300ms', '--for', '3s', '--json']
  const { code, stdout, stderr } = await start(['spectrum', ...load, '--', 'node', 'echo.js'], { port }).ended
  assert.equal(code, 0, stderr)
  const { requests, unit } = JSON.parse(stdout)
  assert.equal(unit, 'message')
  assert.ok(requests > 10)
})

test('spectrum has the worker threads that start under load', async () => {
  const { code, stdout, stderr } = await spectrumOf('lazy.js', ['--warmup', '2s', '--json'])
  assert.equal(code, 0, stderr)
  assert.equal(JSON.parse(stdout).workers.length, 1)
})

test('spectrum of a cluster watches a worker', async () => {
  const { code, stdout, stderr } = await spectrumOf('cluster.js', ['--json'])
  assert.equal(code, 0, stderr)
  assert.match(stderr, /^process \d+ is the primary of a cluster: its worker \d+ is watched instead$/m)
  assert.ok(JSON.parse(stdout).requests > 0)
})

for (const command of [['spectrum'], ['what-if', '--free', 'stdout']])
  test(`${command[0]} says in one line that a service died`, async () => {
    const port = await findFreePort()
    const args = [...command, '--url', `http://127.0.0.1:${port}/`, '--', 'node', 'dying.js']
    assert.match(await complaintOf(args, { port }), /^error: .*(ended|there is no process)/)
  })
