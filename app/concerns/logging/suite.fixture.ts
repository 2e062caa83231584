import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { type LogLevel, logLevels } from '../../../lib/telemetry/logger.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { RequestContext, requestContext, resource } from '../../context.ts'
import type { CreateLogSink, LogSink } from './contract.ts'
import { createLogging } from './logging.ts'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const request = new RequestContext('request-1', monotonicMs() + 60_000, undefined, {
  traceparent: () => `00-${TRACE_ID}-b7ad6b7169203331-01`,
})

/** An implementation, whatever options it has. */
export type Create = CreateLogSink<LogSink, Record<string, unknown>>

/** Starts an implementation whose destination is a file of its own. */
export async function start(t: TestContext, createLogSink: Create, logLevel: LogLevel = 'info') {
  const directory = mkdtempSync(join(tmpdir(), 'logging-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const logFile = join(directory, 'deep', 'app.log')
  const logDir = join(directory, 'segments')
  const logRedact = ['authorization', 'cookie']
  const logging = await createLogging(createLogSink, {
    logFile,
    logDir,
    logLevel,
    logRedact,
    resource,
    logMemoryMib: 16,
    logDiskMib: 256,
  })
  const linesAfterClose = async () => {
    await logging.close()
    if (existsSync(logDir)) await deliverSegments(logDir, logFile)
    const text = readFileSync(logFile, 'utf8')
    assert.ok(text.endsWith('\n'))
    return text
      .slice(0, -1)
      .split('\n')
      .map(line => JSON.parse(line))
  }
  return { ...logging, logFile, linesAfterClose }
}

/** Delivers the segments, as logger-transport does beside the app. It is stopped as soon as it listens. */
async function deliverSegments(logDir: string, logFile: string): Promise<void> {
  // The folder is named and not imported: this suite also runs on branches that have no logger-transport.
  const name = 'logger-transport'
  const file = join(import.meta.dirname, '../../..', name, 'main.ts')
  const flags = ['--port', '0', '--log-dir', logDir, '--log-file', logFile]
  const transport = fork(file, flags, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  transport.once('message', () => transport.disconnect())
  assert.deepEqual(await once(transport, 'exit'), [0, null])
}

/**
 * Tests that an implementation of logging that keeps lines keeps its contract.
 * @param skip the reason why the implementation cannot be tested here
 */
export function testLogging(name: string, create: Create, skip: string | false = false): void {
  describe(`logging/${name}`, { skip }, () => {
    test('writes the fields of the line, the request and the resource', async t => {
      const before = Date.now()
      const { logger, linesAfterClose } = await start(t, create)
      requestContext.run(request, () => logger.info('order read', { orderId: 7, total: 1.5 }))
      const [{ time, ...line }] = await linesAfterClose()
      assert.ok(Number.isInteger(time) && time >= before && time <= Date.now(), `time ${time}`)
      assert.deepEqual(line, {
        ...resource,
        level: 'info',
        sequence: 1,
        requestId: 'request-1',
        trace_id: TRACE_ID,
        span_id: 'b7ad6b7169203331',
        trace_flags: '01',
        message: 'order read',
        orderId: 7,
        total: 1.5,
      })
    })

    test('writes no trace context in a request that has no span, and each request its own', async t => {
      const { logger, linesAfterClose } = await start(t, create)
      const untraced = new RequestContext('request-"2"', monotonicMs() + 60_000)
      for (const context of [request, untraced, request])
        requestContext.run(context, () => logger.info('one'))
      const lines = await linesAfterClose()
      assert.deepEqual(
        lines.map(line => [line.sequence, line.requestId, line.trace_id]),
        [
          [1, 'request-1', TRACE_ID],
          [2, 'request-"2"', undefined],
          [3, 'request-1', TRACE_ID],
        ],
      )
    })

    test('writes a line without fields, and one whose text needs escaping, as one line each', async t => {
      const { logger, linesAfterClose } = await start(t, create)
      const awkward = 'two\nlines "quoted" \u2028 %s %j'
      logger.warn('plain')
      logger.error(awkward, { awkward })
      const lines = await linesAfterClose()
      assert.deepEqual(
        lines.map(({ level, message, awkward }) => ({ level, message, awkward })),
        [
          { level: 'warn', message: 'plain', awkward: undefined },
          { level: 'error', message: awkward, awkward },
        ],
      )
    })

    test('redacts secret fields at every place', async t => {
      const { logger, linesAfterClose } = await start(t, create)
      const headers = { Cookie: 'secret', accept: '*/*' }
      logger.info('asked', { authorization: 'secret', headers })
      const [line] = await linesAfterClose()
      assert.deepEqual(
        [line.authorization, line.headers],
        ['[redacted]', { Cookie: '[redacted]', accept: '*/*' }],
      )
      assert.equal(headers.Cookie, 'secret', 'what was given stays as it was')
    })

    for (const [logLevel, expected] of [
      ['warn', ['fatal', 'error', 'warn']],
      ['trace', logLevels],
    ] as const)
      test(`at the level ${logLevel}, neither writes nor counts lines below it`, async t => {
        const { logger, counts, linesAfterClose } = await start(t, create, logLevel)
        for (const level of logLevels) logger[level]('a line')
        const lines = await linesAfterClose()
        assert.deepEqual(
          lines.map(({ level }) => level),
          expected,
        )
        assert.deepEqual(counts(), { emitted: expected.length, dropped: 0 })
      })

    test('has delivered every line in order once it is closed', async t => {
      const { logger, counts, linesAfterClose } = await start(t, create)
      const numbers = Array.from({ length: 5000 }, (_, number) => number + 1)
      for (const number of numbers) logger.info('a line of many', { number })
      const lines = await linesAfterClose()
      assert.deepEqual(
        lines.map(({ number, sequence }) => [number, sequence]),
        numbers.map(number => [number, number]),
      )
      assert.deepEqual(counts(), { emitted: numbers.length, dropped: 0 })
    })
  })
}
