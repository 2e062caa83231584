import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort, listen } from '../../lib/http/listen.ts'
import { deadLetterFile } from '../../logger-transport/dead-letters.ts'
import { FINISH_LIMIT_MS } from '../../logger-transport/options.ts'
import { decodeLogs } from '../otlp-receiver.ts'
import { logPlaces, type Stack } from '../stack-parts.ts'
import { type Fault, until } from './fault.ts'
import { readLedger, readMetric, startLoaded, startLoggingStack } from './loaded-stack.ts'
import { checkAll, checkInOrder, readNumbers, upTo } from './written-lines.ts'

const LINES_PER_REQUEST = 1000
const REQUESTS_AT_ONCE = 4
/** The app's disk bound in MiB. Lines that wait for one target may take half of it. */
const logDiskMib = 8
/**
 * A stop must take less than this, which is far below the time after which the stack kills a process. A target that
 * takes lines slowly may take lines until `FINISH_LIMIT_MS`, so a stop with such a target may take longer.
 */
const STOP_LIMIT_MS = 10_000
const SLOW_STOP_LIMIT_MS = FINISH_LIMIT_MS + 5000

const dead = async () => ({ url: `http://127.0.0.1:${await findFreePort()}`, close: () => {} })

const QUICK_RETRY = { 'retry-after': '0.1' }
const SLOW_MS = 1000

/** Faults that test the promises about several targets when one of them is in trouble. */
export const logTargetFaults: readonly Fault[] = [
  ...(['is dead', 'refuses', 'is slow', 'hangs'] as const).map(
    (trouble): Fault => ({
      name: `a destination that ${trouble}, beside a file`,
      seconds: 10,
      async run(directory, seconds) {
        const destination = await (trouble === 'is dead' ? dead() : startDestination(trouble))
        const stack = await startBeside(directory, destination.url)
        const read = (name: string) => readTarget(stack, name, 'otlp')
        const endsAtMs = performance.now() + seconds * 1000
        do await logAndDeliver(stack)
        while (performance.now() < endsAtMs || !(await read('lines_dropped_total')))
        const lagBytes = await read('lag_bytes')
        const [delivered, dropped] = [await read('lines_delivered_total'), await read('lines_dropped_total')]
        const limitMs = trouble === 'is slow' ? SLOW_STOP_LIMIT_MS : STOP_LIMIT_MS
        const { stopMs, logLines } = await stopInTime(stack, limitMs)
        await destination.close()
        checkInOrder(directory, logLines.emitted)
        assert.ok(lagBytes > 0 && lagBytes < logDiskMib * 2 ** 20, `${lagBytes} bytes wait`)
        return `the file has all ${logLines.emitted} lines in order; the other has ${delivered}, dropped ${dropped}, ${lagBytes} bytes waited; stopped after ${Math.round(stopMs)} ms`
      },
    }),
  ),
  ...(['refuses', 'refuses for good'] as const).map(
    (conduct): Fault => ({
      name: `a destination that ${conduct} for a while, beside a file`,
      seconds: 15,
      async run(directory, seconds) {
        const destination = await startDestination()
        const { requests, finish } = await startLoaded(directory, {
          loggerTransport: { targets: ['file', 'otlp'], otlpUrl: destination.url },
        })
        await requests.answered(20)
        destination.behave(conduct)
        await until(() => destination.refused() > 0)
        await delay(seconds * 1000)
        destination.behave('takes')
        const before = destination.received.length
        await until(() => destination.received.length > before)
        const { logLines, says } = await finish()
        await destination.close()
        const { emitted, delivered, dropped, rejected } = logLines
        checkInOrder(directory, emitted)
        const letters = deadLetterFile(logPlaces(directory).logDir, 'otlp')
        const kept = existsSync(letters) ? readNumbers(readFileSync(letters, 'utf8')) : []
        checkAll([...kept, ...destination.received], emitted)
        assert.deepEqual([kept.length, destination.received.length, dropped], [rejected, delivered, 0])
        assert.equal(rejected > 0, conduct === 'refuses for good')
        return `${says}; ${destination.refused()} deliveries refused, ${rejected} lines kept in a dead-letter file, the others delivered`
      },
    }),
  ),
  {
    name: 'SIGTERM to the stack while a destination hangs; the next start has one that takes lines',
    seconds: 5,
    async run(directory, seconds) {
      const hanging = await startDestination('hangs')
      const stack = await startBeside(directory, hanging.url)
      const endsAtMs = performance.now() + seconds * 1000
      let lines = 0
      // This many lines fit into the target's share of the disk bound.
      do lines += await logAndDeliver(stack)
      while (performance.now() < endsAtMs && lines < 15_000)
      const { stopMs, logLines } = await stopInTime(stack, STOP_LIMIT_MS)
      await hanging.close()
      assert.deepEqual([logLines.emitted, logLines.delivered, logLines.dropped], [lines, 0, 0])
      const destination = await startDestination()
      const next = await startBeside(directory, destination.url)
      await until(() => destination.received.length >= lines)
      await next.stop()
      await destination.close()
      assert.deepEqual(destination.received, upTo(lines))
      checkInOrder(directory, lines)
      return `stopped after ${Math.round(stopMs)} ms; ${lines} lines stayed in segments and were delivered by the next start, in order, none twice`
    },
  },
]

/** How a destination treats the log lines that it receives. */
type Conduct = 'takes' | 'refuses' | 'refuses for good' | 'is slow' | 'hangs'

/** Starts a receiver of OTLP logs. It can be told to refuse lines, to be slow, or not to answer at all. */
async function startDestination(conduct: Conduct = 'takes') {
  let current = conduct
  let refused = 0
  const received: number[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    if (current === 'hangs') return
    if (current === 'refuses' || current === 'refuses for good') {
      refused++
      response.writeHead(current === 'refuses' ? 503 : 400, QUICK_RETRY).end()
      return
    }
    if (current === 'is slow') await delay(SLOW_MS)
    const lines = decodeLogs(body).flatMap(({ records }) => records)
    received.push(...lines.map(({ attributes }) => Number(attributes.sequence)))
    response.setHeader('content-type', 'application/x-protobuf').end()
  })
  const url = await listen(server, '127.0.0.1', 0)
  return {
    url,
    refused: () => refused,
    /** The numbers of the lines that the destination took, in the order of their arrival. */
    received: received as readonly number[],
    behave(how: Conduct) {
      current = how
    },
    close() {
      server.closeAllConnections()
      return new Promise(resolve => server.close(resolve))
    },
  }
}

const startBeside = (directory: string, otlpUrl: string) =>
  startLoggingStack(directory, {
    app: { logDiskMib },
    loggerTransport: { targets: ['file', 'otlp'], otlpUrl },
  })

/**
 * Lets the app log lines and waits until the file target has them, so that the app has no reason to drop lines.
 * @returns the number of lines
 */
async function logAndDeliver(stack: Stack): Promise<number> {
  const requests = Array.from({ length: REQUESTS_AT_ONCE }, async () => {
    const response = await fetch(`${stack.address('app')}/log?count=${LINES_PER_REQUEST}`)
    await response.arrayBuffer()
    assert.ok(response.ok)
  })
  await Promise.all(requests)
  const { emitted } = await readLedger(stack)
  await until(async () => (await readTarget(stack, 'lines_delivered_total', 'file')) === emitted)
  return REQUESTS_AT_ONCE * LINES_PER_REQUEST
}

const readTarget = (stack: Stack, name: string, target: string): Promise<number> =>
  readMetric(stack.address('logger-transport'), `logger_transport_${name}`, `target="${target}"`)

/** Stops the stack. @throws if a process had to be killed, or if the stop took `limitMs` milliseconds or more */
async function stopInTime(stack: Stack, limitMs: number) {
  const begunAtMs = performance.now()
  const { logLines } = await stack.stop()
  const stopMs = performance.now() - begunAtMs
  assert.equal(process.exitCode, undefined, 'a process did not stop in time and was killed')
  assert.ok(stopMs < limitMs, `it took ${stopMs} ms`)
  for (const { ended } of stack.processes) assert.match(await ended, /ended with 0$/)
  return { stopMs, logLines: { emitted: 0, delivered: 0, dropped: 0, ...logLines } }
}
