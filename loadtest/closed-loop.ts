import autocannon from 'autocannon'
import { type ExpectedRequest, expectRequests } from './expected-requests.ts'
import type { LoadWindow } from './load-window.ts'
import type { LoadOrder } from './protocol.ts'
import { scenarios } from './scenarios.ts'

/** A few of autocannon's minutes: the load is stopped, it does not end. */
const LIMIT_SECONDS = 3600

/**
 * Starts a closed loop: each connection asks again as soon as it is answered. Every answer is checked for status and
 * body and recorded in `window`.
 * @returns how to stop it
 */
export function startClosedLoop(order: LoadOrder, window: LoadWindow): () => Promise<void> {
  const requests = expectRequests(scenarios[order.scenario], order.firstSeed)
  let asked = 0
  let answered = 0

  /** autocannon asks anew when a connection breaks or times out: then more is asked than there are connections. */
  function noteLostRequests(): void {
    for (; asked - answered > order.connections; answered++) window.record('error', Number.NaN)
  }

  const options: autocannon.Options & { sampleInt: number } = {
    url: order.url,
    connections: order.connections,
    duration: LIMIT_SECONDS,
    sampleInt: 100,
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
          const expected = context as ExpectedRequest & { askedAtMs: number }
          const outcome = status !== 200 ? 'error' : body === expected.body ? 'good' : 'wrong body'
          // Not the latency that autocannon gives: after a broken connection it counts from an earlier request.
          window.record(outcome, performance.now() - expected.askedAtMs)
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
