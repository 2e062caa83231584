import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FaultName } from '../../app/server/faults/switches.ts'
import { faultHeaders } from '../../app/server/faults/token.ts'
import { patience } from '../../app/test-options.fixture.ts'
import { mediaTypes } from '../../orders/order.ts'
import { createOrdersServer } from '../../orders/server.ts'
import type { StackOptions } from '../../stack/stack-options.ts'
import { logPlaces, memberOf, type Stack, startStack } from '../stack-parts.ts'
import { ChaosClients, type ChaosTally } from './chaos-clients.ts'
import { type Fault, patient, renderTally, startRequests, until } from './fault.ts'
import { step } from './protocol.ts'

const REQUESTS_PER_SECOND = 60
const LIMIT_MS = 15_000
/** More than one render thread renders at the same time, and fewer than a process fetches the data for. */
const PAGE_CLIENTS = 50
const switchable = { faults: true }
/** The switch only begins the fault; the test ends it. */
const SWITCHED_FOR = '10m'

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

/** Faults of the upstream service, with the promises of the last step about `/demo` and `/page`. */
export const upstreamFaults: readonly Fault[] = [
  {
    name: 'upstream killed, then started again',
    seconds: 10,
    run: (directory, seconds, { seed }) => judgeSwitched(directory, 'kill-orders', seconds, seed),
  },
  {
    name: 'upstream slow, then as before',
    seconds: 10,
    run: (directory, seconds, { seed }) => judgeSwitched(directory, 'slow-orders', seconds, seed),
  },
  {
    name: 'fifty clients that request pages while upstream is slow',
    seconds: 10,
    quickSeconds: 3,
    company: 'none in full',
    async run(directory, seconds) {
      const stack = await startStack({
        composition: step.composition,
        app: { ...logPlaces(directory), ...patient, ...patience, ...switchable, threads: 1 },
      })
      const { good, failures } = await whileSwitched(stack, 'slow-orders', async () => {
        const requests = startRequests(`${stack.address('app')}/page`, PAGE_CLIENTS)
        await delay(seconds * 1000)
        return requests.stop()
      })
      await stack.stop()
      assert.deepEqual(failures, {}, 'pages failed')
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
      }).listen(0, '127.0.0.1')
      await once(upstream, 'listening')
      const ordersUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
      const says = await judge(directory, { app: { ordersUrl } }, seed, async () => {
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
      upstream.close()
      return says
    },
  },
]

const judgeSwitched = (directory: string, name: FaultName, seconds: number, seed: number): Promise<string> =>
  judge(directory, { app: switchable }, seed, stack =>
    whileSwitched(stack, name, () => delay(seconds * 1000)),
  )

/** Switches a fault on while `meanwhile` runs. */
async function whileSwitched<Result>(
  stack: Stack,
  name: FaultName,
  meanwhile: () => Promise<Result>,
): Promise<Result> {
  const url = `${stack.address('app', 'admin')}/faults/${name}`
  const headers = faultHeaders()
  assert.ok((await fetch(`${url}?for=${SWITCHED_FOR}`, { method: 'POST', headers })).ok)
  const result = await meanwhile()
  assert.ok((await fetch(url, { method: 'DELETE', headers })).ok)
  return result
}

/** Asks for the mix at a steady rate while upstream is broken, and checks all answers, the processes and the ledger. */
async function judge(
  directory: string,
  { app }: Pick<StackOptions, 'app'>,
  seed: number,
  breakUpstream: (stack: Stack) => Promise<void>,
): Promise<string> {
  const stack = await startStack({
    composition: step.composition,
    app: { ...logPlaces(directory), ...patient, ...app },
  })
  const clients = new ChaosClients(stack.address('app'), LIMIT_MS)
  const stopLoad = clients.start(REQUESTS_PER_SECOND, seed)
  const { tally } = clients
  const succeedAgain = () => untilGrown(() => tally.good)
  await succeedAgain()
  await breakUpstream(stack)
  await succeedAgain()
  // Requests that were sent while upstream was broken may fail until their time is over.
  await clients.settle()
  const bad = () => JSON.stringify([tally.failed, tally.withFallbacks])
  // On a busy machine those that waited behind them come too late, too. Then none fails.
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
  for (const counts of [logLines, spans])
    assert.deepEqual([counts?.dropped, counts?.delivered], [0, counts?.emitted], 'the ledger is open')
  return describe(tally)
}

async function untilGrown(read: () => number): Promise<void> {
  const before = read()
  await until(() => read() > before + REQUESTS_PER_SECOND)
}

const describe = ({ good, withFallbacks, failed }: ChaosTally): string =>
  `${renderTally(failed)} failed, ${withFallbacks} pages with fallbacks meanwhile; ${good} right answers, none wrong, every line and span delivered`
