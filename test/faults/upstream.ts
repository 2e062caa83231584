import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { AppConfig } from '../../app/config.ts'
import type { FaultName } from '../../app/server/faults/switches.ts'
import { patience } from '../../app/test-options.fixture.ts'
import { closeServer, listen } from '../../lib/http/listen.ts'
import { mediaTypes } from '../../orders/order.ts'
import { createOrdersServer } from '../../orders/server.ts'
import { memberOf, type Stack } from '../stack-parts.ts'
import { askMix, Clients, type Tally } from './clients.ts'
import { type Fault, renderTally, until } from './fault.ts'
import { assertClosed, startLoaded, startLoggingStack, switchFault } from './loaded-stack.ts'

const REQUESTS_PER_SECOND = 40
const LIMIT_MS = 15_000
/** More than one render thread renders at the same time, and fewer than a process fetches the data for. */
const PAGE_CLIENTS = 50
const switchable = { faults: true }
/** What the app answers while the circuit is open. */
const OPEN_CIRCUIT = '503 UPSTREAM_UNAVAILABLE'

/** Answers that a broken upstream may give, by what is wrong with them. */
const garbage: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'bytes that are no Protobuf': answer => succeed(answer, Buffer.alloc(2000, 0xff)),
  'no orders': answer => succeed(answer, Buffer.alloc(0)),
  'a web page': answer => answer.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works</h1>'),
  'half a body': answer => {
    answer.writeHead(200, { 'content-type': mediaTypes.protobuf, 'content-length': 5000 }).write('half')
    setImmediate(() => answer.destroy())
  },
  'no HTTP': answer => answer.socket?.end('hello\r\n\r\n'),
  'status 500': answer => answer.writeHead(500).end('broken'),
}

const succeed = (answer: ServerResponse, body: Buffer) =>
  answer.writeHead(200, { 'content-type': mediaTypes.protobuf }).end(body)

/** Switches of faults, and whether they open the circuit. */
const switches: readonly [name: string, fault: FaultName, opens: boolean, app?: Partial<AppConfig>][] = [
  ['killed, then started again', 'kill-orders', true],
  ['stalled, then running again', 'stall-orders', true, { ordersTimeoutMs: 800 }],
  ['slow, then as before', 'slow-orders', false],
]

/** Faults of the upstream service, with the promises of the last step about `/demo` and `/page`. */
export const upstreamFaults: readonly Fault[] = [
  ...switches.map(
    ([name, fault, opens, app]): Fault => ({
      name: `upstream ${name}`,
      seconds: 10,
      quickSeconds: 2,
      async run(directory, seconds, { seed }) {
        const tally = await judge(directory, { ...switchable, ...app }, seed, stack =>
          breakFor(stack, fault, seconds),
        )
        if (opens) assert.ok(tally.failed[OPEN_CIRCUIT], `the circuit did not open: ${describe(tally)}`)
        return describe(tally)
      },
    }),
  ),
  {
    name: 'fifty clients that request pages while upstream is slow',
    seconds: 10,
    quickSeconds: 3,
    alone: 'in full',
    async run(directory, seconds) {
      const app = { ...patience, ...switchable, threads: 1 }
      const { stack, finish } = await startLoaded(directory, { path: '/page', clients: PAGE_CLIENTS, app })
      await breakFor(stack, 'slow-orders', seconds)
      const { good } = await finish()
      return `${good} pages by one render thread, none failed`
    },
  },
  {
    name: 'upstream answering garbage of every kind, then as before',
    seconds: 20,
    quickSeconds: 6,
    async run(directory, seconds, { seed, progress }) {
      const orders = createOrdersServer({})
      let answerGarbage: ((response: ServerResponse) => void) | undefined
      let sent = 0
      const upstream = createServer((request, response) => {
        sent++
        if (answerGarbage) answerGarbage(response)
        else orders.emit('request', request, response)
      })
      const ordersUrl = await listen(upstream, '127.0.0.1', 0)
      const tally = await judge(directory, { ordersUrl }, seed, async () => {
        for (const [kind, answer] of Object.entries(garbage)) {
          progress(kind)
          answerGarbage = answer
          const before = sent
          await delay((seconds * 1000) / Object.keys(garbage).length)
          // The circuit breakers let few calls through.
          await until(() => sent > before)
        }
        answerGarbage = undefined
      })
      await closeServer(upstream)
      return describe(tally)
    },
  },
]

/** Switches a fault on for a time. */
async function breakFor(stack: Stack, fault: FaultName, seconds: number): Promise<void> {
  assert.ok((await switchFault(stack, 'POST', fault)).ok)
  await delay(seconds * 1000)
  assert.ok((await switchFault(stack, 'DELETE', fault)).ok)
}

/** Asks for the mix at a steady rate while upstream is broken, and checks all answers, the processes and the ledger. */
async function judge(
  directory: string,
  app: Partial<AppConfig>,
  seed: number,
  breakUpstream: (stack: Stack) => Promise<void>,
): Promise<Tally> {
  const stack = await startLoggingStack(directory, { app })
  const clients = new Clients(stack.address('app'), askMix(), LIMIT_MS)
  const stopLoad = clients.startOpenLoop(REQUESTS_PER_SECOND, seed)
  const { tally } = clients
  const succeedAgain = () => {
    const before = tally.good
    return until(() => tally.good > before + REQUESTS_PER_SECOND)
  }
  await succeedAgain()
  await breakUpstream(stack)
  // Requests that were sent while upstream was broken may fail until their time is over, and on a busy machine those that waited
  // behind them, too. Then none fails.
  const bad = () => JSON.stringify([tally.failed, tally.withFallbacks])
  await until(async () => {
    const before = bad()
    await succeedAgain()
    return bad() === before
  })
  await stopLoad()
  const { restarts } = memberOf(stack, 'app')
  const { logLines, spans } = await stack.stop()
  assert.deepEqual([tally.wrong, tally.hung], [{}, 0], 'answers that nothing explains')
  assert.equal(restarts, 0, 'the app died')
  assertClosed({ ...(logLines && { logLines }), ...(spans && { spans }) })
  assert.deepEqual([logLines?.dropped, spans?.dropped], [0, 0], 'lines or spans were dropped')
  return tally
}

const describe = ({ good, withFallbacks, failed }: Tally): string =>
  `${renderTally(failed)} failed, ${withFallbacks} pages with fallbacks meanwhile; ${good} right answers, none wrong, every line and span delivered`
