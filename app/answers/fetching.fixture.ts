import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { listen } from '../../lib/http/listen.ts'
import type { CallRecorder } from '../../lib/telemetry/call-times.ts'
import { type LogFields, type LogLevel, loggerOf } from '../../lib/telemetry/logger.ts'
import { type FormattedLines, threadCallsOf } from '../../lib/telemetry/thread-calls.ts'
import { selectOrders } from '../../orders/catalogue.ts'
import { OrderList } from '../../orders/messages.ts'
import { mediaTypes, type Payload } from '../../orders/order.ts'
import { createApm } from '../concerns/apm/none.ts'
import { createCompute } from '../concerns/compute/threads.ts'
import { createSerialization } from '../concerns/serialization/compiled.ts'
import { createOrdersClient } from '../concerns/upstream/orders-client.ts'
import { createUpstream } from '../concerns/upstream/threads.ts'
import type { RequestContext } from '../context.ts'
import { instrumentTasks } from '../tasks.ts'
import { newContext } from '../test-options.fixture.ts'
import type { AnswerName } from './order-answers.ts'

/** Decides how the upstream answers a seed; undefined means: as usual. */
export type Upstream = (seed: number, response: ServerResponse) => Promise<Buffer | number | undefined>

/** Starts a thread that fetches and makes answers, and an upstream. */
export async function startFetching(
  t: TestContext,
  upstream: Upstream = async () => undefined,
  logLevel: LogLevel = 'info',
) {
  const requests: IncomingMessage[] = []
  const server = createServer(async (request, response) => {
    requests.push(request)
    const query = new URL(request.url as string, 'http://localhost').searchParams
    const [count, seed] = [Number(query.get('count')), Number(query.get('seed'))]
    const given = await upstream(seed, response)
    const orders = () => selectOrders(count, query.get('payload') as Payload, seed)
    if (typeof given === 'number') response.writeHead(given).end()
    else response.end(given ?? OrderList.encode({ orders: orders() }).finish())
  })
  const lines: string[] = []
  const logger = loggerOf(() => (message: string, fields?: LogFields) => {
    lines.push(JSON.stringify({ message, ...fields }))
  })
  const recorded: string[] = []
  const calls: CallRecorder = {
    startCall: () => 'a call',
    callHeaders: () => ({ traceparent: 'the call' }),
    endCall: (_call, { status, errorType }) => recorded.push(`${status} ${errorType}`),
    drop: span => span === 'a call' && recorded.push('dropped'),
  }
  const apm = { ...(await createApm({} as never)), calls: threadCallsOf(calls) }
  const threadLines = {
    format: { logLevel, logRedact: ['status'] },
    write: ({ text }: FormattedLines) => lines.push(...text.split('\n').filter(Boolean)),
  }
  const logging = { logger, sink: { threadLines } }
  const compute = instrumentTasks(
    await createCompute({
      threads: 1,
      workerPriority: 0,
      taskTimeoutMs: 60_000,
      workerMemoryMib: 128,
      tasksFile: join(import.meta.dirname, '../../workers/tasks.fixture.ts'),
      logger,
    }),
    apm,
  )
  const clientOptions = {
    url: await listen(server, '127.0.0.1', 0),
    timeoutMs: 60_000,
    accept: mediaTypes.protobuf,
  }
  const client = createOrdersClient(clientOptions)
  const { answerOrders } = await createUpstream({
    apm,
    logging: logging as never,
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
    requests,
    lines,
    recorded,
    make: (name: AnswerName, seed: number, context: RequestContext = newContext()) =>
      answerOrders({ name, query: { count: 2, payload: 'mixed', seed }, accept: undefined }, context),
  }
}
