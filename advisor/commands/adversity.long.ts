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

/** A short spectrum of a program. */
async function spectrumOf(file: string, flags: readonly string[], ...words: string[]) {
  const port = await findFreePort()
  const args = ['spectrum', '--url', `http://127.0.0.1:${port}/`, '--warmup', '100ms', '--for', '3s']
  return start([...args, ...flags, '--', 'node', file, ...words], { port }).ended
}

test('spectrum of a service that answers with errors is refused with their statuses, unless they are accepted', async () => {
  const refused = await spectrumOf('failing.js', [])
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /^error: (\d+) of \1 requests failed \(500: \1\).*--accept-errors/m)
  const { code, stderr } = await spectrumOf('failing.js', ['--accept-errors'])
  assert.equal(code, 0, stderr)
  assert.match(stderr, /^warning: (\d+) of \1 requests failed/m)
})

test('spectrum sends what it is asked to, and nothing of the debugger is said', async () => {
  const token = ['--header', 'authorization: Bearer t', '--body', '{}']
  const { code, stdout, stderr } = await spectrumOf('protected.js', [...token, '--json'])
  assert.equal(code, 0, stderr)
  assert.ok(JSON.parse(stdout).requests > 0)
  assert.equal(stderr, 'it starts\n')
})

test('spectrum finds a service that listens on another port or address', async () => {
  const { stderr } = await spectrumOf('elsewhere.js', [])
  assert.match(stderr, /^it listens on \[::1\]:\d+, not on 127\.0\.0\.1:\d+: that is loaded instead$/m)
})

test('spectrum of a daemon says that the command has ended, and how to watch what it has left', async () => {
  const { code, stderr } = await spectrumOf('daemon.js', [])
  assert.equal(code, 1)
  assert.match(stderr, /ended \(exit code 0\); .* left behind with --attach$/m)
})

test('spectrum counts the messages of a service that a command of the user loads', async () => {
  const port = await findFreePort()
  const args = [
    'spectrum',
    '--warmup',
    '300ms',
    '--for',
    '3s',
    '--json',
    '--load-with',
    `node chatting.js ${port}`,
  ]
  const { code, stdout, stderr } = await start([...args, '--', 'node', 'echo.js'], { port }).ended
  assert.equal(code, 0, stderr)
  const { requests, unit } = JSON.parse(stdout)
  assert.equal(unit, 'message')
  assert.ok(requests > 10)
  const failing = await complaintOf(['spectrum', '--load-with', 'exit 3', '--', 'node', 'echo.js'], { port })
  assert.match(failing, /--load-with failed \(exit code 3\): exit 3/)
})

test('spectrum has the worker threads that start under load', async () => {
  const port = await findFreePort()
  const args = ['spectrum', '--url', `http://127.0.0.1:${port}/`, '--warmup', '2s', '--for', '3s']
  const { code, stdout, stderr } = await start([...args, '--json', '--', 'node', 'lazy.js'], { port }).ended
  assert.equal(code, 0, stderr)
  assert.equal(JSON.parse(stdout).workers.length, 1)
})

test('spectrum of a cluster watches a worker', async () => {
  const port = await findFreePort()
  const args = ['spectrum', '--url', `http://127.0.0.1:${port}/`, '--warmup', '100ms', '--for', '3s']
  const { code, stdout, stderr } = await start([...args, '--json', '--', 'node', 'cluster.js'], { port })
    .ended
  assert.equal(code, 0, stderr)
  assert.match(stderr, /^process \d+ is the primary of a cluster: its worker \d+ is watched instead$/m)
  assert.ok(JSON.parse(stdout).requests > 0)
})

test('what looks at a service that dies says so in one line', async () => {
  for (const command of [['spectrum'], ['what-if', '--free', 'stdout']]) {
    const port = await findFreePort()
    const args = [...command, '--url', `http://127.0.0.1:${port}/`, '--', 'node', 'dying.js']
    assert.match(
      await complaintOf(args, { port }),
      /^error: .*(ended|there is no process)/,
      command.join(' '),
    )
  }
})
