import type { IncomingHttpHeaders } from 'node:http'
import autocannon from 'autocannon'
import { type ExpectedRequest, expectRequests, judgeAnswer } from './expected-requests.ts'
import type { LoadWindow } from './load-window.ts'
import type { LoadOrder } from './protocol.ts'
import { scenarios } from './scenarios.ts'

/** A request that has been sent and is not answered yet. */
interface Asked extends ExpectedRequest {
  readonly askedAtMs: number
  readonly firstByteAtMs: number
}

/**
 * The request that a client waits for. A client of autocannon has only one at a time. This field is not documented, so
 * package.json has one exact version of autocannon.
 */
interface ClientInternals {
  readonly requestIterator: { readonly context: object }
}

/** A week: the load does not end by itself, it is stopped. */
const LIMIT_SECONDS = 7 * 24 * 3600

/**
 * Starts a closed loop: each connection sends its next request as soon as its last is answered. Checks status and
 * body of every answer and records it in `window`.
 * @returns a function that stops the load
 */
export function startClosedLoop(
  order: Pick<LoadOrder, 'url' | 'scenario' | 'connections' | 'firstSeed'>,
  window: LoadWindow,
): () => Promise<void> {
  const requests = expectRequests(scenarios[order.scenario], order.firstSeed)
  let asked = 0
  let answered = 0

  /**
   * After a connection has broken or timed out, autocannon sends another request without reporting an answer: then
   * more requests are open than there are connections.
   */
  function noteLostRequests(): void {
    for (; asked - answered > order.connections; answered++) window.record('error', Number.NaN, Number.NaN)
  }

  const options: autocannon.Options & { sampleInt: number } = {
    url: order.url,
    connections: order.connections,
    duration: LIMIT_SECONDS,
    sampleInt: 100,
    setupClient(client) {
      const { requestIterator } = client as unknown as ClientInternals
      client.on('headers', () => Object.assign(requestIterator.context, { firstByteAtMs: performance.now() }))
    },
    requests: [
      {
        setupRequest(request, context) {
          const expected = requests[asked++ % requests.length] as ExpectedRequest
          noteLostRequests()
          Object.assign(context, expected, { askedAtMs: performance.now() })
          return { ...request, path: expected.path }
        },
        onResponse(status, body, context, headers) {
          answered++
          const { askedAtMs, firstByteAtMs, ...expected } = context as Asked
          const outcome = judgeAnswer(expected, status, headers as IncomingHttpHeaders, body)
          // autocannon's own latency is not used: after a broken connection it counts from an earlier request.
          window.record(outcome, performance.now() - askedAtMs, firstByteAtMs - askedAtMs)
        },
      },
    ],
  }
  const instance = autocannon(options, () => {}) as autocannon.Instance & { stop(): void }
  return () =>
    new Promise(resolve => {
      instance.on('done', () => resolve())
      instance.stop()
    })
}
