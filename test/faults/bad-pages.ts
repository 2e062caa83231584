import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { misbehaving } from '../../app/pages/page.faulty.ts'
import { faultHeaders } from '../../app/server/faults/token.ts'
import type { Step } from '../../app/steps.ts'
import { patience } from '../../app/test-options.fixture.ts'
import { closeServer, listen } from '../../lib/http/listen.ts'
import { expectedPage, isRightPage } from '../../loadtest/generator/expected-page.ts'
import { createOrdersServer } from '../../orders/server.ts'
import { type Stack, startStack } from '../stack-parts.ts'
import { countFallbacks } from './clients.ts'
import { until } from './fault.ts'
import { patient } from './loaded-stack.ts'

/** A thread that loops is replaced after half of this time, and then another one has to start. */
const PART_TIMEOUT_MS = 10_000
const LATE_MS = 500
const UNHURT = 1
/** The statuses of a page whose time was over before its shell, or before it was begun. */
const LATE: readonly (number | undefined)[] = [503, 504]

type Expect = number | 'whole' | 'without recommendations'

/** Pages by seed, with the data that upstream sends for them; undefined: it never answers. */
const ofUpstream: Readonly<Record<string, { seed: number; path: string; says?: Buffer; expect: Expect }>> = {
  'invalid orders': { seed: 80, path: '/orders', says: Buffer.from('garbage'), expect: 502 },
  'no orders': { seed: 81, path: '/orders', expect: 504 },
  'invalid recommendations': {
    seed: 82,
    path: '/recommendations',
    says: Buffer.from('garbage'),
    expect: 'without recommendations',
  },
  'no recommendations': { seed: 83, path: '/recommendations', expect: 'without recommendations' },
}
const LATE_SEED = 84
/** Pages whose data upstream sends only when their event says so. */
const held = { '/orders': 85, '/recommendations': 86 } as const

/** What comes of misbehaving components, which are tried where threads load the page with faults. */
const ofComponents: Readonly<Record<keyof typeof misbehaving, number>> = {
  'throws in the shell': 500,
  'throws in a part': 200,
  'waits for ever': 200,
  'loops in the shell': 500,
  'loops in a part': 500,
  'ends its thread in the shell': 500,
  'ends its thread in a part': 500,
  'takes all memory': 500,
}
/** Pages that only wait until a time limit. */
const WAITING = ['no orders', 'no recommendations', 'waits for ever']

/** Requests bad pages of a step, and good ones beside and after each. @returns the outcome in a few words */
export async function tryBadPages(step: Step, progress: (says: string) => void): Promise<string> {
  const events = new EventEmitter()
  const upstream = createBadUpstream(events)
  const stack = await startStack({
    composition: { ...step.composition, logging: 'none' },
    app: {
      ...patience,
      ...patient,
      partTimeoutMs: PART_TIMEOUT_MS,
      ordersTimeoutMs: PART_TIMEOUT_MS,
      threads: 1,
      faults: true,
      ordersUrl: await listen(upstream, '127.0.0.1', 0),
    },
  })
  try {
    const hasThreads = step.composition.rendering === 'threads'
    const bad = Object.entries(ofUpstream).map(([what, { seed, expect }]) => ({ what, seed, expect }))
    if (hasThreads)
      for (const [what, { seed }] of Object.entries(misbehaving))
        bad.push({ what, seed, expect: ofComponents[what as keyof typeof misbehaving] })
    const doesWait = ({ what }: { readonly what: string }) => WAITING.includes(what)
    progress(WAITING.join(', '))
    await Promise.all(bad.filter(doesWait).map(each => tryPage(stack, each)))
    for (const each of bad.filter(each => !doesWait(each))) {
      progress(each.what)
      await tryPage(stack, each)
    }
    await tryPage(stack, { what: 'late recommendations', seed: LATE_SEED, expect: 'whole' })
    const killed = hasThreads ? await tryKills(stack, events) : 0
    return `${bad.length + 1 + killed} bad pages, and all others are whole`
  } finally {
    await stack.stop()
    await closeServer(upstream)
  }
}

interface BadPage {
  readonly what: string
  readonly seed: number
  readonly expect: Expect
}

async function tryPage(stack: Stack, { what, seed, expect }: BadPage): Promise<void> {
  const [bad] = await Promise.all([ask(stack, seed), tryGoodPage(stack)])
  const body = await text(bad)
  const says = `${what}: ${describe(bad, body)}`
  if (typeof expect === 'number') assert.equal(bad.statusCode, expect, says)
  else if (expect === 'whole') assert.ok(isRightPage(body, expectedPage(seed)), says)
  else assert.equal(countFallbacks(seed, body), 1, says)
  await tryGoodPage(stack)
}

/**
 * A page beside a bad one is whole. On a busy machine, the thread that takes over from one that loops may start too late for it: then
 * it is asked for again.
 */
async function tryGoodPage(stack: Stack): Promise<void> {
  await until(async () => {
    const page = await ask(stack, UNHURT)
    const isLate = LATE.includes(page.statusCode)
    if (isLate) page.resume()
    else await assertWhole(page, UNHURT, 'a page beside')
    return !isLate
  })
}

async function assertWhole(response: IncomingMessage, seed: number, what: string): Promise<void> {
  const body = await text(response)
  assert.ok(isRightPage(body, expectedPage(seed)), `${what}: ${describe(response, body)}`)
}

const describe = ({ statusCode }: IncomingMessage, body: string): string =>
  `${statusCode}, ${body.slice(0, 100)} … ${body.slice(-400)}`

/** Kills the render thread before the shell of a page, after it, and while the client reads it. */
async function tryKills(stack: Stack, upstream: EventEmitter): Promise<number> {
  const isAsked = once(upstream, 'held')
  const before = ask(stack, held['/orders'])
  await isAsked
  await kill(stack)
  upstream.emit('/orders')
  await assertWhole(await before, held['/orders'], 'a page before its shell')
  const after = await ask(stack, held['/recommendations'])
  await kill(stack)
  upstream.emit('/recommendations')
  assert.equal(countFallbacks(held['/recommendations'], await text(after)), 1, 'a page after its shell')
  const read = await ask(stack, UNHURT)
  await once(read, 'readable')
  const begun = String(read.read(1000))
  await kill(stack)
  assert.ok(isRightPage(begun + (await text(read)), expectedPage(UNHURT)), 'a page that is being read')
  await tryGoodPage(stack)
  return 3
}

async function kill(stack: Stack): Promise<void> {
  const url = `${stack.address('app', 'admin')}/faults/kill-renderer?for=1ms`
  assert.equal((await fetch(url, { method: 'POST', headers: faultHeaders() })).status, 200)
}

/** Resolves with the response when its head has come. */
async function ask(stack: Stack, seed: number): Promise<IncomingMessage> {
  const [response] = await once(
    get(`${stack.address('app')}/page?seed=${seed}`, { agent: false }),
    'response',
  )
  return response
}

/** The upstream, with data that is invalid, late, or never comes for some seeds. It answers held ones after the event of their path. */
function createBadUpstream(events: EventEmitter): Server {
  const released = new Set<string>()
  for (const path of Object.keys(held)) events.once(path, () => released.add(path))
  const orders = createOrdersServer({})
  return createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url as string, 'http://upstream')
    const seed = Number(searchParams.get('seed'))
    const bad = Object.values(ofUpstream).find(each => each.seed === seed && each.path === pathname)
    const answer = () => orders.emit('request', request, response)
    if (bad?.says) response.end(bad.says)
    else if (bad) return
    else if (seed === LATE_SEED && pathname === '/recommendations') setTimeout(answer, LATE_MS)
    else if (held[pathname as keyof typeof held] === seed && !released.has(pathname)) {
      events.once(pathname, answer)
      events.emit('held')
    } else answer()
  })
}
