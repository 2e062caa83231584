import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { misbehaving } from '../../app/pages/page.faulty.ts'
import { lastStep, type Step, steps } from '../../app/steps.ts'
import { patience } from '../../app/test-options.fixture.ts'
import { expectedPage, isRightPage } from '../../loadtest/generator/expected-page.ts'
import { memberOf, startStack } from '../stack-parts.ts'
import { type Fault, until } from './fault.ts'
import { patient, residentMiB, startLoaded, switchFault } from './loaded-stack.ts'

/** A thread that loops is replaced after half of this time, and then another one has to start. */
const PART_TIMEOUT_MS = 10_000
const UNHURT = 1
/** The statuses of a page whose time was over before its shell, or before it was begun. */
const LATE: readonly number[] = [503, 504]
/** Pages after which heaps have their size under load. */
const WARM_UP = 150
const SLOW_CLIENTS = 64
const SLOW_BYTES_PER_SECOND = 1024
const PAGE_MEMORY_MIB = 64
/** The growth of the heaps of three threads under load, besides the memory of the pages. */
const HEAP_MARGIN_MIB = 192

/** The statuses of pages that misbehave. */
const expected: Readonly<Record<keyof typeof misbehaving, number>> = {
  'throws in the shell': 500,
  'throws in a part': 200,
  'waits for ever': 200,
  'loops in the shell': 500,
  'loops in a part': 500,
  'ends its thread in the shell': 500,
  'ends its thread in a part': 500,
  'takes all memory': 500,
}

/** Promises of a page, on real processes. */
export const renderingFaults: readonly Fault[] = [
  ...steps
    .filter(({ composition }) => composition.rendering === 'threads')
    .map(
      (step): Fault => ({
        name: `pages that misbehave, at step ${step.number}`,
        seconds: 25,
        run: (_directory, _seconds, { progress }) => tryBadPages(step, progress),
      }),
    ),
  {
    name: '64 clients that read 1 KB a second',
    seconds: 20,
    async run(directory, seconds) {
      const { stack, requests, finish, url } = await startPages(directory)
      await requests.answered(WARM_UP)
      const before = await residentMiB(stack)
      const slow = Array.from({ length: SLOW_CLIENTS }, () => readSlowly(url))
      const answered = requests.good()
      await delay(seconds * 1000)
      await requests.answered(1)
      const served = requests.good() - answered
      const after = await residentMiB(stack)
      for (const socket of slow) socket.destroy()
      await finish()
      const grown = after - before
      assert.ok(grown < PAGE_MEMORY_MIB + HEAP_MARGIN_MIB, `memory grew by ${grown.toFixed(0)} MiB`)
      return `${served} pages for others meanwhile; memory ${before.toFixed(0)} → ${after.toFixed(0)} MiB`
    },
  },
  {
    name: 'clients that go away amid their page',
    seconds: 10,
    async run(directory, seconds) {
      const { finish, url } = await startPages(directory)
      const endsAtMs = performance.now() + seconds * 1000
      let left = 0
      for (; performance.now() < endsAtMs; left++) {
        const asked = get(`${url}?seed=${left}`, { agent: false }).on('error', () => {})
        const [response] = await once(asked, left % 2 === 0 ? 'response' : 'socket')
        response.on('error', () => {})
        asked.destroy()
      }
      const { spans, says } = await finish()
      assert.equal(spans.dropped, 0, 'spans were left open')
      return `${left} left; ${says}`
    },
  },
]

/** Requests pages that misbehave, and good ones beside and after each; then kills the thread of good ones. */
async function tryBadPages(step: Step, progress: (says: string) => void): Promise<string> {
  const stack = await startStack({
    composition: { ...step.composition, logging: 'none' },
    app: { ...patience, ...patient, partTimeoutMs: PART_TIMEOUT_MS, threads: 1, faults: true },
  })
  const url = stack.address('app')
  const ask = (seed: number) => fetch(`${url}/page?seed=${seed}`)
  const assertWhole = async (page: Response, what: string) => {
    const body = await page.text()
    assert.ok(isRightPage(body, expectedPage(UNHURT)), `${what}: ${page.status}, ${body.slice(-400)}`)
  }
  // On a busy machine, the thread that takes over from one that loops may start too late for a page: then it is asked for again.
  const askUnhurt = () =>
    until(async () => {
      const page = await ask(UNHURT)
      if (LATE.includes(page.status)) return false
      await assertWhole(page, 'a page beside')
      return true
    })
  const kill = async () => assert.ok((await switchFault(stack, 'POST', 'kill-renderer', '1ms')).ok)
  try {
    for (const [what, { seed }] of Object.entries(misbehaving)) {
      progress(what)
      const [page] = await Promise.all([ask(seed), askUnhurt()])
      const body = await page.text()
      assert.equal(page.status, expected[what as keyof typeof expected], `${what}: ${body.slice(-400)}`)
      await askUnhurt()
    }
    const orders = memberOf(stack, 'orders')
    orders.signal('SIGSTOP')
    const waiting = ask(UNHURT)
    await fetch(`${url}/hello`)
    await kill()
    orders.signal('SIGCONT')
    await assertWhole(await waiting, 'a page before its shell')
    const begun = await ask(UNHURT)
    await kill()
    await assertWhole(begun, 'a page that is being read')
    await askUnhurt()
    return `${Object.keys(misbehaving).length} pages that misbehave, 2 kills, and all others are whole`
  } finally {
    await stack.stop()
  }
}

/** Starts a stack of the last step whose clients ask for pages. */
async function startPages(directory: string) {
  const loaded = await startLoaded(directory, {
    path: '/page',
    composition: { ...lastStep.composition, logging: 'none' },
    app: { pageMemoryMib: PAGE_MEMORY_MIB, ...patience },
  })
  return { ...loaded, url: `${loaded.stack.address('app')}/page` }
}

/** Reads at most this number of bytes a second. */
function readSlowly(url: string) {
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`)
  socket.pause()
  const timer = setInterval(() => socket.read(Math.min(SLOW_BYTES_PER_SECOND, socket.readableLength)), 1000)
  return socket.once('close', () => clearInterval(timer))
}
