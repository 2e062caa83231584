import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConcernOf } from '../concerns/concerns.ts'
import { createFindOwner } from '../owners/owner-of.ts'
import { INSIDE_URL } from '../watching/inside.ts'
import { readSeenTime } from './parts.ts'
import { byConcern, split } from './spectrum.ts'

/** A stack from the root, as `url function` of each frame; `(idle)` and the like have no url. */
type Stack = readonly string[]

/** Makes a profile in which each stack was seen for so many milliseconds. */
function makeProfile(seen: readonly (readonly [Stack, number])[]) {
  const nodes = [node(1, '(root)', '')]
  const ids = new Map<string, number>([['', 1]])
  const idOf = (stack: Stack): number => {
    const key = stack.join('\n')
    const known = ids.get(key)
    if (known) return known
    const parent = idOf(stack.slice(0, -1))
    const frame = stack.at(-1) as string
    const [url = '', name = ''] = frame.startsWith('(') ? ['', frame] : frame.split(' ')
    const added = node(nodes.length + 1, name, url)
    nodes.push(added)
    nodes[parent - 1]?.children.push(added.id)
    ids.set(key, added.id)
    return added.id
  }
  const samples = seen.map(([stack]) => idOf(stack))
  const durations = seen.map(([, ms]) => ms * 1000)
  const endTime = durations.reduce((sum, each) => sum + each, 0)
  return { nodes, samples, timeDeltas: [0, ...durations.slice(0, -1)], startTime: 0, endTime }
}

const node = (id: number, functionName: string, url: string) => ({
  id,
  callFrame: { functionName, url, scriptId: '1', lineNumber: 0, columnNumber: 0 },
  children: [] as number[],
})

const http = 'node:_http_server parserOnIncoming'
const server = `${import.meta.filename} handle`
const pino = '/nowhere/node_modules/pino/pino.js write'
const otel = '/nowhere/node_modules/@opentelemetry/instrumentation-http/build/http.js end'

const nestLogger = '/nowhere/node_modules/@nestjs/common/services/console-logger.service.js printMessages'

const sharesOf = (seen: readonly (readonly [Stack, number])[]) => {
  const profile = makeProfile(seen)
  const time = readSeenTime(profile, createFindOwner('/nowhere'), createConcernOf())
  const spectrum = split({ thread: 'main', wallMs: profile.endTime / 1000 }, time)
  const shares = byConcern(spectrum).map(({ concern, share, gcShare }) => [concern, [share, gcShare]])
  return { spectrum, shares: Object.fromEntries(shares) as Record<string, [number, number]> }
}

const consoleLog = 'node:internal/console/constructor log'
const socket = 'node:net _writeGeneric'
const next = '/nowhere/node_modules/next/dist'

/** Stacks, each with its percent of the time, and the shares of concerns, each with its garbage. */
const cases: readonly (readonly [why: string, seen: (readonly [Stack, number])[], shares: object])[] = [
  [
    'time counts for the nearest owner, and time of generated code for its caller',
    [
      [[http, server], 40],
      [[http, server, ' generated'], 10],
      [[http, server, 'node:events emit'], 10],
      [[http, server, pino], 30],
      [[http], 10],
      [['(idle)'], 1000],
    ],
    { application: [0.6, 0], logging: [0.3, 0], http: [0.1, 0] },
  ],
  [
    'a logger takes the time of its files with it, but an APM agent around HTTP does not take HTTP',
    [
      [[http, server, pino, 'node:fs writeSync'], 30],
      [[http, server, 'node:fs readFileSync'], 20],
      [[http, server, otel, 'node:_http_outgoing end'], 50],
    ],
    { http: [0.5, 0], logging: [0.3, 0], files: [0.2, 0] },
  ],
  [
    'console and process.stdout take the sockets and files below them, and the inspector is nobody',
    [
      [[http, server, ' consoleCall'], 50],
      [[http, server, ' consoleCall', consoleLog, socket], 30],
      [[http, server, `${INSIDE_URL} write`, socket], 20],
      [[http, server, 'node:internal/fs/sync_write_stream _write', 'node:fs writeSync'], 10],
      [[http, server, nestLogger, socket], 10],
      [[http, server, socket], 30],
    ],
    { logging: [0.7, 0], http: [0.3, 0] },
  ],
  [
    'built-ins of a concern, and React inside of Next, have that concern',
    [
      [[server, 'node:sqlite all'], 40],
      [[server, 'node:internal/deps/undici/undici fetch', socket], 30],
      [[`${next}/compiled/react-dom/server.js render`], 20],
      [[`${next}/server/next-server.js handle`], 10],
    ],
    { database: [0.4, 0], 'http client': [0.3, 0], rendering: [0.2, 0], framework: [0.1, 0] },
  ],
  [
    'generated code that nobody known has called, and code of an unknown place, are unattributed',
    [
      [['node:internal/timers listOnTimeout', ' generated'], 40],
      [[server, 'https://example.com/main.js run'], 30],
      [['node:internal/timers listOnTimeout'], 30],
    ],
    { unattributed: [0.7, 0], runtime: [0.3, 0] },
  ],
  [
    'garbage collection counts for whoever ran when it began, apart from own time',
    [
      [[server], 50],
      [['(garbage collector)'], 30],
      [[server, pino], 10],
      [['(garbage collector)'], 10],
    ],
    { application: [0.5, 0.3], logging: [0.1, 0.1] },
  ],
]
for (const [why, seen, shares] of cases) test(why, () => assert.deepEqual(sharesOf(seen).shares, shares))

test('an owner names its functions, with what native code and Node.js did for them', () => {
  const { spectrum } = sharesOf([
    [[http, server, ' generated'], 30],
    [[server], 10],
    [[http, server, pino, 'node:fs writeSync'], 40],
    [[http], 20],
  ])
  const functions = Object.fromEntries(spectrum.shares.map(each => [each.concern, each.functions]))
  const named = (concern: string) => functions[concern]?.map(({ name, share }) => [name.split(' ')[0], share])
  assert.deepEqual(named('application'), [['handle', 0.4]])
  assert.deepEqual(functions.http, [])
  assert.match(functions.logging?.[0]?.name ?? 'none', /^none$|^write pino\/pino\.js:1$/)
})

test('the share of the control that a profile misses is missed of everything, however long the thread waits in it', () => {
  const control = [`${INSIDE_URL} control`]
  const time = readSeenTime(
    makeProfile([
      ...Array.from({ length: 1000 }, () => [[server], 0.04] as const),
      ...Array.from({ length: 199 }, () => [control, 0.04] as const),
      [control, 20],
    ]),
    createFindOwner('/nowhere'),
    createConcernOf(),
  )
  const burnt = { controlMicros: 10_000, totalMicros: 10_000 }
  const { missedShare, coverage, nativeShare, shares } = split(
    { thread: 'main', wallMs: 100, cpuMicros: 110_000, control: burnt },
    time,
  )
  assert.equal(shares.find(({ concern }) => concern === 'application')?.share.toFixed(3), '0.400')
  assert.equal(missedShare.toFixed(3), '0.100')
  assert.equal(coverage?.toFixed(3), '0.900')
  assert.equal(nativeShare.toFixed(3), '0.500')
})

test('a thread is busy while it runs, waits for a core or stands still, and not while it waits for work', () => {
  const busyShareOf = (seen: Parameters<typeof makeProfile>[0], cpuMs: number, waitedMs: number) =>
    split(
      { thread: 'main', wallMs: 100, cpuMicros: cpuMs * 1000, waitedMicros: waitedMs * 1000 },
      readSeenTime(makeProfile(seen), createFindOwner('/nowhere'), createConcernOf()),
    ).busyShare
  const seenFor = (ms: number) => [[[server], ms] as const, [['(idle)'], 100 - ms] as const]
  assert.equal(busyShareOf(seenFor(0), 1, 0), 0.01)
  assert.equal(busyShareOf(seenFor(30), 20, 10), 0.3)
  assert.equal(busyShareOf(seenFor(90), 1, 0), 0.9)
})

test('a share that differs between the parts of a window has a wide interval, and an even one none', () => {
  const marginsOf = (seen: readonly (readonly [Stack, number])[]) => sharesOf(seen).spectrum.concernMargins
  const even = Array.from({ length: 10 }, () => [
    [[server], 70] as const,
    [[server, pino], 30] as const,
  ]).flat()
  assert.ok((marginsOf(even).logging as number) < 0.001)
  const uneven = [[[server], 700] as const, [[server, pino], 300] as const]
  assert.ok((marginsOf(uneven).logging as number) > 0.3)
})
