import assert from 'node:assert/strict'
import { findFreePort } from '../../lib/http/listen.ts'
import { FINISH_LIMIT_MS } from '../../logger-transport/options.ts'
import type { Stack } from '../stack-parts.ts'
import { type Fault, until } from './fault.ts'
import { type Conduct, startDestination } from './logging-destination.ts'
import { logUrl, readLedger, startLoggingStack } from './logging-stack.ts'
import { deliveredNumbers, upTo } from './written-lines.ts'

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

interface Trouble {
  readonly name: string
  /** Starts the destination. @returns its URL, and a function that closes it */
  start(): Promise<{ url: string; close(): unknown }>
  readonly stopLimitMs: number
}

const conducts = ['refuses', 'is slow', 'hangs'] as const satisfies readonly Conduct[]

const troubles: readonly Trouble[] = [
  {
    name: 'is dead',
    start: async () => ({ url: `http://127.0.0.1:${await findFreePort()}`, close: () => {} }),
    stopLimitMs: STOP_LIMIT_MS,
  },
  ...conducts.map(conduct => ({
    name: conduct,
    start: () => startDestination(conduct),
    stopLimitMs: conduct === 'is slow' ? SLOW_STOP_LIMIT_MS : STOP_LIMIT_MS,
  })),
]

/** Faults that test the promises about several targets when one of them is in trouble. */
export const logTargetFaults: readonly Fault[] = [
  ...troubles.map(trouble => ({
    name: `a destination that ${trouble.name}, beside a file`,
    seconds: 10,
    run: (directory: string, seconds: number) => runBeside(trouble, directory, seconds),
  })),
  {
    name: 'SIGTERM to the stack while a destination hangs; the next start has one that takes lines',
    seconds: 5,
    run: restartAfterHanging,
  },
]

async function runBeside(trouble: Trouble, directory: string, seconds: number): Promise<string> {
  const destination = await trouble.start()
  const stack = await startBeside(directory, destination.url)
  const endsAtMs = performance.now() + seconds * 1000
  do await logAndDeliver(stack)
  while (performance.now() < endsAtMs || !(await readTarget(stack, 'lines_dropped_total')))
  const lagBytes = await readTarget(stack, 'lag_bytes')
  const delivered = await readTarget(stack, 'lines_delivered_total')
  const dropped = await readTarget(stack, 'lines_dropped_total')
  const { stopMs, logLines } = await stopInTime(stack, trouble.stopLimitMs)
  await destination.close()
  assert.deepEqual(
    deliveredNumbers(directory),
    upTo(logLines.emitted),
    'the file has not every line in order',
  )
  assert.ok(lagBytes > 0 && lagBytes < logDiskMib * 2 ** 20, `${lagBytes} bytes wait`)
  return `the file has all ${logLines.emitted} lines in order; the other has ${delivered}, dropped ${dropped}, ${lagBytes} bytes waited; stopped after ${Math.round(stopMs)} ms`
}

async function restartAfterHanging(directory: string, seconds: number): Promise<string> {
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
  assert.deepEqual(deliveredNumbers(directory), upTo(lines))
  return `stopped after ${Math.round(stopMs)} ms; ${lines} lines stayed in segments and were delivered by the next start, in order, none twice`
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
    const response = await fetch(logUrl(stack, LINES_PER_REQUEST))
    await response.arrayBuffer()
    assert.ok(response.ok)
  })
  await Promise.all(requests)
  const { emitted } = await readLedger(stack)
  await until(async () => (await readTarget(stack, 'lines_delivered_total', 'file')) === emitted)
  return REQUESTS_AT_ONCE * LINES_PER_REQUEST
}

async function readTarget(stack: Stack, name: string, target = 'otlp'): Promise<number> {
  const text = await (await fetch(`${stack.address('logger-transport')}/metrics`)).text()
  const found = new RegExp(`^logger_transport_${name}\\{target="${target}"\\} (\\d+)$`, 'm').exec(text)
  return Number(found?.[1] ?? 0)
}

/** Stops the stack. @throws if a process had to be killed, or if the stop took `limitMs` milliseconds or more */
async function stopInTime(stack: Stack, limitMs: number) {
  const begunAtMs = performance.now()
  const { logLines } = await stack.stop()
  const stopMs = performance.now() - begunAtMs
  assert.equal(process.exitCode, undefined, 'a process did not stop in time and was killed')
  assert.ok(stopMs < limitMs, `it took ${stopMs} ms`)
  const ends = await Promise.all(stack.processes.map(({ ended }) => ended))
  assert.deepEqual(
    ends.filter(end => !end.endsWith('ended with 0')),
    [],
  )
  return { stopMs, logLines: { emitted: 0, delivered: 0, dropped: 0, ...logLines } }
}
