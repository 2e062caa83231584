import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { listen } from '../../lib/http/listen.ts'
import { type LogLevel, loggerOf } from '../../lib/telemetry/logger.ts'
import type { FormattedLines } from '../../lib/telemetry/thread-calls.ts'
import { selectOrders } from '../../orders/catalogue.ts'
import { mediaTypes } from '../../orders/order.ts'
import { createOrdersServer } from '../../orders/server.ts'
import { createNoApm } from '../../test/calm-service.ts'
import { createCompute } from '../concerns/compute/threads.ts'
import { createSerialization } from '../concerns/serialization/compiled.ts'
import { createOrdersClient } from '../concerns/upstream/orders-client.ts'
import { createUpstream } from '../concerns/upstream/threads.ts'
import { instrumentTasks } from '../tasks.ts'
import { newContext } from '../test-options.fixture.ts'
import { demoOf } from './making.fixture.ts'

const ordersOf = (seed: number) => selectOrders(2, 'mixed', seed)

/** Starts a thread that fetches and makes answers, and an upstream that waits for `hold` before each answer. */
async function start(
  t: TestContext,
  hold: (seed: number) => Promise<unknown> = async () => {},
  logLevel: LogLevel = 'info',
) {
  const orders = createOrdersServer({})
  const server = createServer(async (request, response) => {
    await hold(Number(new URL(request.url as string, 'http://orders').searchParams.get('seed')))
    orders.emit('request', request, response)
  })
  const lines: string[] = []
  const threadLines = {
    format: { logLevel, logRedact: ['status'] },
    write: ({ text }: FormattedLines) => lines.push(...text.split('\n').filter(Boolean)),
  }
  const logger = loggerOf(() => () => assert.fail('the main thread wrote a line'))
  const pool = { threads: 1, workerPriority: 0, taskTimeoutMs: 60_000, workerMemoryMib: 128 }
  const tasksFile = join(import.meta.dirname, '../../workers/tasks.fixture.ts')
  const apm = await createNoApm()
  const compute = instrumentTasks(await createCompute({ ...pool, tasksFile, logger }), apm)
  const url = await listen(server, '127.0.0.1', 0)
  const clientOptions = { url, timeoutMs: 60_000, accept: mediaTypes.protobuf }
  const client = createOrdersClient(clientOptions)
  const { answerOrders } = await createUpstream({
    apm,
    logging: { sink: { threadLines } },
    logger,
    serialization: createSerialization(),
    serializationFile: join(import.meta.dirname, '../concerns/serialization/compiled.ts'),
    compute,
    client,
    clientOptions,
  })
  t.after(async () => {
    await Promise.all([compute.close(), client.close()])
    server.close()
    server.closeAllConnections()
  })
  return {
    server,
    compute,
    lines,
    async make(seed: number, context = newContext()): Promise<unknown> {
      const query = { count: 2, payload: 'mixed', seed } as const
      const { body } = await answerOrders({ name: 'DemoAnswer', query, accept: undefined }, context)
      return JSON.parse(String(body))
    },
  }
}

describe('a thread that fetches and makes answers', () => {
  test('runs the tasks, and writes the log lines of the request, numbered, with secrets redacted', async t => {
    const { make, lines } = await start(t)
    assert.deepEqual(await make(1, newContext({ requestId: 'the-demo' })), demoOf(ordersOf(1)))
    const parsed = lines.map(line => JSON.parse(line))
    assert.deepEqual(
      parsed.map(({ time, 'thread.id': thread, ...line }) => line),
      ordersOf(1).map(({ id, amounts }, index) => ({
        level: 'info',
        sequence: index + 1,
        requestId: 'the-demo',
        orderId: id,
        status: '[redacted]',
        total: amounts?.total,
        message: 'order read',
      })),
    )
    assert.ok(parsed.every(line => line['thread.id'] === parsed[0]['thread.id'] && line['thread.id'] > 0))
  })

  test('writes no lines whose level is not enabled', async t => {
    const { make, lines } = await start(t, undefined, 'warn')
    await make(1)
    assert.deepEqual(lines, [])
  })

  test('answers others while the upstream takes its time for one', async t => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { make } = await start(t, async seed => seed === 0 && held)
    const slow = make(0)
    const seeds = Array.from({ length: 100 }, (_, index) => index + 1)
    const answers = await Promise.all(seeds.map(seed => make(seed)))
    assert.deepEqual(
      answers,
      seeds.map(seed => demoOf(ordersOf(seed), seed)),
    )
    release()
    assert.deepEqual(await slow, demoOf(ordersOf(0), 0))
  })

  test('makes an answer again, with its lines once, when the thread dies while it waits for the upstream', async t => {
    let asked = 0
    const { make, server, compute, lines } = await start(
      t,
      async () => ++asked === 1 && new Promise(() => {}),
    )
    const answer = make(1)
    await once(server, 'request')
    compute.operated?.kill?.()
    assert.deepEqual(await answer, demoOf(ordersOf(1)))
    assert.deepEqual([asked, lines.length], [2, 2])
  })
})
