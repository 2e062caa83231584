import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConcernOf } from '../concerns/concerns.ts'
import { createFindOwner } from '../owners/owner-of.ts'
import { INSIDE_URL } from '../watching/inside.ts'
import { readSeenTime } from './parts.ts'
import { byConcern, split } from './spectrum.ts'

/** A stack from the root, as `url function` of each frame; `(idle)` and the like have no url. */
type Stack = readonly string[]

/** Stacks, each with the milliseconds for which it was seen. */
type Seen = readonly (readonly [Stack, number])[]

function makeProfile(seen: Seen) {
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

const findOwner = createFindOwner('/nowhere')
const concernOf = createConcernOf()

const sharesOf = (seen: Seen) => {
  const profile = makeProfile(seen)
  const time = readSeenTime(profile, findOwner, concernOf)
  const spectrum = split({ thread: 'main', wallMs: profile.endTime / 1000 }, time)
  const shares = byConcern(spectrum).map(({ concern, share, gcShare }) => [concern, [share, gcShare]])
  return { spectrum, shares: Object.fromEntries(shares) as Record<string, [number, number]> }
}

const consoleLog = 'node:internal/console/constructor log'
const socket = 'node:net _writeGeneric'
const next = '/nowhere/node_modules/next/dist'

/** Stacks, each with its percent of the time, and the shares of concerns, each with its garbage. */
const cases: readonly (readonly [why: string, seen: Seen, shares: object])[] = [
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
  const functions = spectrum.shares.map(each => [
    each.concern,
    each.functions[0]?.name,
    each.functions[0]?.share,
  ])
  assert.deepEqual(functions, [
    ['application', 'handle advisor/spectrum/parts.test.ts:1', 0.4],
    ['logging', undefined, undefined],
    ['http', undefined, undefined],
  ])
})

/** Splits the time of a profile of a tenth of a second. */
const splitOf = (seen: Seen, counted: object) =>
  split({ thread: 'main', wallMs: 100, ...counted }, readSeenTime(makeProfile(seen), findOwner, concernOf))

test('the share of the control that a profile misses is missed of everything, however long the thread waits in it', () => {
  const control = [`${INSIDE_URL} control`]
  const seen: Seen = [
    ...Array.from({ length: 1000 }, () => [[server], 0.04] as const),
    ...Array.from({ length: 199 }, () => [control, 0.04] as const),
    [control, 20],
  ]
  const burnt = { controlMicros: 10_000, totalMicros: 10_000 }
  const spectrum = splitOf(seen, { cpuMicros: 110_000, control: burnt })
  const { missedShare, coverage, nativeShare, shares } = spectrum
  const [application] = shares
  assert.deepEqual(
    [application?.share, missedShare, coverage, nativeShare].map(share => share?.toFixed(3)),
    ['0.400', '0.100', '0.900', '0.500'],
  )
})

test('a thread is busy while it runs, waits for a core or stands still, and not while it waits for work', () => {
  const sharesIn = (seenMs: number, cpuMs: number, waitedMs: number) => {
    const seen: Seen = [
      [[server], seenMs],
      [['(idle)'], 100 - seenMs],
    ]
    const spectrum = splitOf(seen, { cpuMicros: cpuMs * 1000, waitedMicros: waitedMs * 1000 })
    return [spectrum.busyShare, spectrum.stoodStillShare]
  }
  assert.deepEqual(
    [sharesIn(0, 1, 0), sharesIn(30, 20, 10), sharesIn(90, 1, 0)],
    [
      [0.01, 0],
      [0.3, 0],
      [0.9, 0.89],
    ],
  )
})

test('a share that differs between the parts of a window has a wide interval, and an even one none', () => {
  const marginOf = (seen: Seen) => sharesOf(seen).spectrum.concernMargins.logging as number
  const turn: Seen = [
    [[server], 70],
    [[server, pino], 30],
  ]
  assert.ok(marginOf(Array.from({ length: 10 }, () => turn).flat()) < 0.001)
  assert.ok(marginOf(turn) > 0.3)
})
