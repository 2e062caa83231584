import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { lastStep, steps } from '../../app/steps.ts'
import { patience } from '../../app/test-options.fixture.ts'
import { tryBadPages } from './bad-pages.ts'
import type { Fault } from './fault.ts'
import { residentMiB, startLoaded } from './loaded-stack.ts'

/** Pages after which heaps have their size under load. */
const WARM_UP = 150
const SLOW_CLIENTS = 64
const SLOW_BYTES_PER_SECOND = 1024
const PAGE_MEMORY_MIB = 64
/** The growth of the heaps of three threads under load, besides the memory of the pages. */
const HEAP_MARGIN_MIB = 192

/** Promises of a page, on real processes. */
export const renderingFaults: readonly Fault[] = [
  ...steps
    .filter(({ composition }) => composition.apm === lastStep.composition.apm)
    .map(
      (step): Fault => ({
        name: `pages that fail, at step ${step.number}`,
        seconds: 25,
        company: 'many',
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
