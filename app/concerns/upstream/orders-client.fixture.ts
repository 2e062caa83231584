import { createServer, type RequestListener } from 'node:http'
import type { TestContext } from 'node:test'
import { listen } from '../../../lib/http/listen.ts'
import { monotonicMs } from '../../../lib/units.ts'
import { RequestContext } from '../../context.ts'
import type { Problem } from '../../problems.ts'
import { createOrdersClient } from './orders-client.ts'

const QUERY = { count: 1, payload: 'mixed', seed: 1 } as const

/** Starts a client, and an upstream that answers like this. Both end with the test. */
export async function startClient(t: TestContext, answer: RequestListener, timeoutMs = 60_000) {
  const server = createServer(answer)
  const url = await listen(server, '127.0.0.1', 0)
  const client = createOrdersClient({ url, timeoutMs, accept: 'any/type' })
  t.after(async () => {
    server.close()
    server.closeAllConnections()
    await client.close()
  })
  const newContext = (leftMs = 60_000) => new RequestContext('a-request', monotonicMs() + leftMs, 'span')
  /** The code with which a call of the client, or of what guards it by then, fails. */
  const codeOf = (context = newContext()): Promise<string> =>
    client.fetchOrders(QUERY, context).then(
      () => 'answered',
      ({ code }: Problem) => code,
    )
  return { client, server, newContext, codeOf }
}
