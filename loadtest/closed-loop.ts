import autocannon from 'autocannon'
import type { LoadWindow } from './load-window.ts'
import type { LoadOrder } from './protocol.ts'
import { type Scenario, scenarios } from './scenarios.ts'

interface ExpectedRequest {
  readonly path: string
  readonly body: string
}

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
  let outcome: Parameters<LoadWindow['record']>[0]
  const instance = autocannon(
    {
      url: order.url,
      connections: order.connections,
      duration: LIMIT_SECONDS,
      sampleInt: 100,
      requests: [
        {
          setupRequest: (request, context) => {
            const expected = requests[asked++ % requests.length] as ExpectedRequest
            noteLostRequests()
            Object.assign(context, expected)
            return { ...request, path: expected.path }
          },
          onResponse: (status, body, context) => {
            outcome =
              status !== 200 ? 'error' : body === (context as ExpectedRequest).body ? 'good' : 'wrong body'
          },
        },
      ],
    } as autocannon.Options & { sampleInt: number },
    () => {},
  )
  /** autocannon silently asks anew when a connection breaks: then more is asked than there are connections. */
  function noteLostRequests(): void {
    while (asked - answered > order.connections) fail()
  }
  function fail(): void {
    answered++
    window.record('error', Number.NaN)
  }
  // autocannon calls `onResponse` and then, in the same turn, emits this with the latency as a float.
  instance.on('response', (_client, _status, _bytes, latencyMs) => {
    answered++
    window.record(outcome, latencyMs)
  })
  instance.on('reqError', fail)
  return () =>
    new Promise(resolve => {
      instance.on('done', () => resolve())
      ;(instance as unknown as { stop(): void }).stop()
    })
}

/** Paths with their right bodies, computed beforehand. */
function expectRequests({ seeds, path, body }: Scenario, firstSeed: number): ExpectedRequest[] {
  return Array.from({ length: seeds }, (_, index) => ({
    path: path(firstSeed + index),
    body: body(firstSeed + index),
  }))
}
