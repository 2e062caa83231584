import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Share, ThreadSpectrum } from '../spectrum/spectrum.ts'
import { advise } from './advise.ts'
import { packagesFor } from './ways.ts'

const hop = { messageBytes: 4096, mainThreadMicros: 10, aloneMicros: 30, totalMicros: 20 }
const share = (concern: string, share: number, gcShare = 0): Share => ({
  concern,
  owner: concern,
  share,
  gcShare,
  functions: [],
  margin: null,
  allocatedShare: null,
  isBuiltin: false,
})

/** A main thread that was busy for 8 of 10 seconds. */
const spectrum = (shares: readonly Share[], busyShare = 0.8): ThreadSpectrum => ({
  thread: 'main',
  wallMs: 10_000,
  samples: 10_000,
  cpuMs: 8000,
  busyShare,
  shares,
  concernMargins: {},
  nativeShare: 0,
  gcShare: 0,
  allocatedBytes: null,
  stoodStillShare: null,
  missedShare: 0,
  coverage: 1,
  controlSeen: 1,
  waitRatio: 0,
})

const bestOf = (shares: readonly Share[], requests: number | null = 8000) =>
  advise(spectrum(shares), requests, hop).advice[0]

test('the bound of a concern is its share with its garbage, less the hop of each request', () => {
  const { advice } = advise(spectrum([share('rendering', 0.4, 0.1), share('http', 0.3)]), 8000, hop)
  const [rendering, http] = advice
  assert.equal(rendering?.concern, 'rendering')
  assert.equal(rendering?.leaves, true)
  assert.equal(rendering?.microsPerRequest, 500)
  assert.equal(rendering?.costAtBest.toFixed(3), '0.510')
  assert.equal(rendering?.throughputAtBest.toFixed(3), (1 / 0.51).toFixed(3))
  assert.equal(rendering?.addedCpuShare, 0.02)
  assert.equal(http?.leaves, false)
})

test('the throughput is bounded by the cores that were idle, too', () => {
  const main = spectrum([share('rendering', 0.5)])
  const throughputOn = (idle: number) =>
    advise(main, 8000, hop, { count: 2, idle }).advice[0]?.throughputAtBest.toFixed(2)
  assert.deepEqual([0, 0.4, 1.5].map(throughputOn), ['1.00', '1.25', (1 / 0.51).toFixed(2)])
  assert.match(
    advise(main, 8000, hop, { count: 2, idle: 0.4 }).summary,
    /1\.25 × at most, as 0\.4 of 2 cores were idle/,
  )
})

test('the interval of a bound counts the time that the profile missed', () => {
  const main = { ...spectrum([share('files', 0.5)]), missedShare: 0.2 }
  const [low = 0, high = 0] = advise(main, 8000, hop).advice[0]?.costAtBestRange ?? []
  // All of the reading may stay. Its error, and a round trip for which the thread is woken.
  assert.equal((high - 1.01).toFixed(3), '0.031')
  assert.equal((0.51 - low).toFixed(3), '0.211')
})

test('the formatting of lines stays, and only their writing leaves', () => {
  const adviceOn = (writing: number) =>
    bestOf([share('logging', 0.2), { ...share('logging', writing), isBuiltin: true }])
  assert.equal(adviceOn(0.2)?.costAtBest.toFixed(2), '0.81')
  assert.match(String(adviceOn(0.05)?.stays), /formatting stays on the main thread/)
  assert.deepEqual(adviceOn(0.05)?.packages, [])
})

test('an APM agent may take the time of what it wraps with it, and without long turns all else is cheaper', () => {
  const leastOf = (concern: string) =>
    bestOf([share(concern, 0.4), share('http', 0.4)])?.costAtBestRange[0].toFixed(1)
  assert.deepEqual(['apm', 'compute', 'files'].map(leastOf), ['0.2', '0.3', '0.6'])
})

test('work that is shorter than two round trips to a worker thread stays, and so does what nobody knows', () => {
  const best = bestOf([share('rendering', 0.1)], 80_000)
  assert.equal(best?.leaves, false)
  assert.match(String(best?.stays), /too short/)
  const unknown = spectrum([share('other packages', 0.5), share('unattributed', 0.3)])
  const { advice, summary } = advise(unknown, 8000, hop)
  assert.ok(advice.every(({ leaves }) => !leaves))
  assert.match(summary, /no concern of 3 % or more can leave/)
})

test('an idle main thread is said first, whatever the shares are', () => {
  const { isIdle, summary } = advise(spectrum([share('rendering', 0.9)], 0.2), 8000, hop)
  assert.ok(isIdle)
  assert.match(summary, /busy for 20 % of the time: moving nothing is the answer/)
})

test('a bound is never infinite, and a concern of the user may have the name of a property of all objects', () => {
  const best = bestOf([share('constructor', 1)], null)
  assert.deepEqual([best?.leaves, best?.throughputAtBest.toFixed(0)], [true, '8000'])
})

test('a concern that can leave has our package and the one that people know, in the code of what was seen', () => {
  const shares = [
    { ...share('logging', 0.3), isBuiltin: true },
    share('compute', 0.3),
    { ...share('framework', 0.2), owner: 'express' },
  ]
  const packagesOf = (also: readonly Share[]) =>
    advise(spectrum([...shares, ...also]), 800, hop).advice.flatMap(({ packages }) => packages)
  const names = packagesOf([]).map(({ name }) => name)
  assert.deepEqual(names, ['@main-thread/logger-transport', 'pino', '@main-thread/workers', 'piscina'])
  assert.match(packagesOf([]).at(-1)?.code ?? '', /^app\.get\('\/path', async \(request, response\)/)
  const winston = packagesOf([{ ...share('logging', 0.1), owner: 'winston' }])
  assert.ok(winston.some(({ code }) => code.startsWith('createLogger')))
  // Next.js renders by itself, so its pages are cached.
  assert.deepEqual(
    packagesFor('rendering', new Set(['next'])).map(({ name }) => name),
    ['next'],
  )
})

test('the code of our packages calls what their READMEs show', () => {
  const frameworks = ['fastify', 'express', 'hono', 'winston', 'nestjs-pino', 'pino-http', 'none of these']
  const found = ['compute', 'rendering', 'logging', 'apm'].flatMap(concern =>
    frameworks.flatMap(framework => packagesFor(concern, new Set([framework]))),
  )
  for (const { name, code } of found.filter(each => each.name.startsWith('@main-thread/'))) {
    const path = join(import.meta.dirname, '../..', name.split('/')[1] as string, 'README.md')
    const [call = ''] = /segments\(|(?:renderer|pool)\.\w+\(|--import \S+/.exec(code) ?? []
    assert.ok(call !== '' && readFileSync(path, 'utf8').includes(call), `${name}: ${code}`)
  }
})
