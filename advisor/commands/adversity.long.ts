import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { answerOf, complaintOf, directory } from './adversity.fixture.ts'

const BRIEFLY = ['--blocks', '2', '--warmup', '100ms', '--for', '200ms']
const versus = (before: string, after: string, ...flags: readonly string[]) => [
  ...['versus', '--before', `node ${before}`, '--after', `node ${after}`, ...BRIEFLY, ...flags],
]
/** A short spectrum of a program. */
const spectrum = (file: string, ...flags: readonly string[]) => [
  ...['spectrum', '--url', 'http://127.0.0.1:PORT/', '--warmup', '100ms', '--for', '3s', ...flags],
  ...['--', 'node', file],
]
const hidden = ['--require', join(directory, 'no-proc.cjs')]
writeFileSync(join(directory, 'null.cpuprofile'), 'null')
writeFileSync(join(directory, 'broken.cpuprofile'), '{"nodes":[{}],"samples":[1],"timeDeltas":[1]}')

const refused: readonly (readonly [
  what: string,
  args: readonly string[],
  message: RegExp,
  flags?: string[],
])[] = [
  ['other bodies', versus('same.js', 'other.js'), /different bodies.*--any-body/],
  ['failed requests', versus('same.js', 'failing.js'), /after: \d+ of \d+ requests failed/],
  ['a command that ends', versus('same.js', 'ending.js'), /ended \(exit code 7\); run it by itself/],
  ['a command that is deaf', versus('same.js', 'deaf.js', '--ready', '1s'), /does not listen on port/],
  ['no path', versus('same.js', 'same.js', '--url', 'x'), /expects a path/],
  ['no file of a profile', ['spectrum', '--profile', 'absent'], /cannot be read/],
  ['what is no profile', ['spectrum', '--profile', 'null.cpuprofile'], /is no CPU profile/],
  ['a broken profile', ['spectrum', '--profile', 'broken.cpuprofile'], /is no CPU profile/],
  ['two subjects', ['spectrum', '--profile', 'a', '--attach', '1'], /neither a command nor --attach/],
  ['no command', ['spectrum', '--', 'no-such-command'], /cannot be started \(ENOENT\)/],
  [
    'a load that fails',
    ['spectrum', '--load-with', 'exit 3', '--', 'node', 'echo.js'],
    /failed \(exit code 3\): exit 3/,
  ],
  ['a system without /proc', ['spectrum', '--attach', '1'], /on Linux only.*--cpu-prof/, hidden],
  [
    'a service that only fails',
    spectrum('failing.js'),
    /^error: (\d+) of \1 requests failed \(500: \1\).*--accept-errors/,
  ],
  [
    'a service that listens elsewhere',
    spectrum('elsewhere.js', '--ready', '1s'),
    /does not listen on port \d+ after 1 s; it listens on \d+$/,
  ],
  ['a daemon', spectrum('daemon.js'), /ended \(exit code 0\); .* left behind with --attach$/],
  ['a service that dies', spectrum('dying.js', '--for', '10s'), /(ended|there is no process)/],
]
for (const [what, args, message, flags] of refused)
  test(`${args[0]} refuses ${what} in one line`, async () => {
    assert.match(await complaintOf(args, flags), message)
  })

test('versus compares answers that vary on both sides, and says that it did not compare their bodies', async () => {
  const { stdout } = await answerOf(versus('counting.js', 'counting.js'))
  assert.match(stdout, /Bodies vary/)
})

test('without /proc, versus compares what it can measure', async () => {
  const { stdout } = await answerOf(versus('same.js', 'same.js'), hidden)
  assert.match(stdout, /^responses\/s/m)
  assert.doesNotMatch(stdout, /µs\/response|NaN/)
})

test('spectrum of a service that answers with errors may be accepted', async () => {
  const { stderr } = await answerOf(spectrum('failing.js', '--accept-errors'))
  assert.match(stderr, /^warning: (\d+) of \1 requests failed/m)
})

test('spectrum sends what it is asked to, and shows what the service says on stderr', async () => {
  const token = ['--header', 'authorization: Bearer t', '--body', '{}']
  const { stdout, stderr } = await answerOf(spectrum('protected.js', ...token, '--json'))
  assert.ok(JSON.parse(stdout).requests > 0)
  assert.match(stderr, /^it starts$/m)
})

test('spectrum has the worker threads that start under load', async () => {
  const { stdout } = await answerOf(spectrum('lazy.js', '--warmup', '2s', '--json'))
  assert.equal(JSON.parse(stdout).workers.length, 1)
})

test('spectrum of a cluster watches a worker', async () => {
  const { stdout, stderr } = await answerOf(spectrum('cluster.js', '--json'))
  assert.match(stderr, /^process \d+ is the primary of a cluster: its worker \d+ is watched instead$/m)
  assert.ok(JSON.parse(stdout).requests > 0)
})
