import autocannon from 'autocannon'
import { type ExpectedRequest, expectRequests } from './expected-requests.ts'
import type { LoadWindow } from './load-window.ts'
import type { LoadOrder } from './protocol.ts'
import { scenarios } from './scenarios.ts'

/** What is known of a request that is on its way. */
interface Asked extends ExpectedRequest {
  readonly askedAtMs: number
  readonly firstByteAtMs: number
}

/** A client has one request on its way, and this is what belongs to it. */
interface ClientInternals {
  readonly requestIterator: { readonly context: object }
}

/** A week: the load is stopped, it does not end. */
const LIMIT_SECONDS = 7 * 24 * 3600

/**
 * Starts a closed loop: each connection asks again as soon as it is answered. Every answer is checked for status and
 * body and recorded in `window`.
 * @returns how to stop it
 */
export function startClosedLoop(
  order: Pick<LoadOrder, 'url' | 'scenario' | 'connections' | 'firstSeed'>,
  window: LoadWindow,
): () => Promise<void> {
  const requests = expectRequests(scenarios[order.scenario], order.firstSeed)
  let asked = 0
  let answered = 0

  /** autocannon asks anew when a connection breaks or times out: then more is asked than there are connections. */
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
        onResponse(status, body, context) {
          answered++
          const { askedAtMs, firstByteAtMs, ...expected } = context as Asked
          const outcome = status !== 200 ? 'error' : body === expected.body ? 'good' : 'wrong body'
          // Not the latency that autocannon gives: after a broken connection it counts from an earlier request.
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
