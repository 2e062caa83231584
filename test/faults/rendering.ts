import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { lastStep, steps } from '../../app/steps.ts'
import { patience } from '../../app/test-options.fixture.ts'
import { memberOf, type Stack, startStack } from '../stack-parts.ts'
import { tryBadPages } from './bad-pages.ts'
import { type Fault, patient, residentMiB, startRequests, until, untilNoneFails } from './fault.ts'

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
    async run(_directory, seconds) {
      const stack = await startPageStack(patience)
      const requests = startRequests(pageOf(stack))
      await until(() => requests.answers() > WARM_UP)
      const before = await residentMiB(stack)
      const slow = Array.from({ length: SLOW_CLIENTS }, () => readSlowly(pageOf(stack)))
      const answered = requests.answers()
      await delay(seconds * 1000)
      await until(() => requests.answers() > answered)
      const served = requests.answers() - answered
      const after = await residentMiB(stack)
      for (const socket of slow) socket.destroy()
      const { failures } = await requests.stop()
      await stack.stop()
      assert.deepEqual(failures, {}, 'requests of others failed')
      const grown = after - before
      assert.ok(grown < PAGE_MEMORY_MIB + HEAP_MARGIN_MIB, `memory grew by ${grown.toFixed(0)} MiB`)
      return `${served} pages for others meanwhile; memory ${before.toFixed(0)} → ${after.toFixed(0)} MiB`
    },
  },
  {
    name: 'clients that go away amid their page',
    seconds: 10,
    async run(_directory, seconds) {
      const stack = await startPageStack(patience)
      const requests = startRequests(pageOf(stack))
      const endsAtMs = performance.now() + seconds * 1000
      let left = 0
      for (; performance.now() < endsAtMs; left++) {
        const asked = get(`${pageOf(stack)}?seed=${left}`, { agent: false }).on('error', () => {})
        const [response] = await once(asked, left % 2 === 0 ? 'response' : 'socket')
        response.on('error', () => {})
        asked.destroy()
      }
      const { failures, good } = await requests.stop()
      const { spans } = await stack.stop()
      assert.deepEqual(failures, {}, 'requests of others failed')
      assert.deepEqual([spans?.dropped, spans?.delivered], [0, spans?.emitted], 'spans were left open')
      return `${left} left, ${good} pages for others, ${spans?.emitted} spans and none lost`
    },
  },
  {
    name: 'upstream stalled, then running again',
    seconds: 5,
    async run(_directory, seconds) {
      const stack = await startPageStack()
      const url = pageOf(stack)
      assert.equal((await fetch(url)).status, 200)
      const orders = memberOf(stack, 'orders')
      orders.signal('SIGSTOP')
      const stalled = await fetch(url)
      await stalled.arrayBuffer()
      assert.equal(stalled.status, 504)
      await delay(seconds * 1000)
      orders.signal('SIGCONT')
      await until(async () => (await fetch(url)).status === 200)
      await untilNoneFails(url, 100)
      await stack.stop()
      return '504 meanwhile, then 100 pages and none failed'
    },
  },
]

const startPageStack = (limits = {}): Promise<Stack> =>
  startStack({
    composition: { ...lastStep.composition, logging: 'none' },
    app: { pageMemoryMib: PAGE_MEMORY_MIB, ...patient, ...limits },
  })

const pageOf = (stack: Stack) => `${stack.address('app')}/page`

/** Reads at most this number of bytes a second. */
function readSlowly(url: string) {
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`)
  socket.pause()
  const timer = setInterval(() => socket.read(Math.min(SLOW_BYTES_PER_SECOND, socket.readableLength)), 1000)
  return socket.once('close', () => clearInterval(timer))
}
