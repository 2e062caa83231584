import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { ARRIVAL_MS } from '../../lib/http/late-requests.ts'
import { type ExpectedRequest, isRightBody } from '../../loadtest/generator/expected-requests.ts'
import { codeOf, count } from './fault.ts'

/** Outcomes of requests by clients that keep asking while the server stops. */
export interface ClientTally {
  /** Number of complete answers with status 200 and the right body. */
  good: number
  /** Number of other answers by status, or `wrong body`. */
  readonly bad: Record<string, number>
  /** Number of requests that were cut off, by error: the connection had served before, or the answer had begun. */
  readonly cut: Record<string, number>
  /** Number of requests sent on an idle connection after the server had stopped waiting for requests. */
  late: number
  /** Number of connections that the server never accepted. */
  refused: number
}

interface KeepAliveClients {
  readonly begun: Promise<void>
  readonly ended: Promise<ClientTally>
  /** The outcomes so far. */
  readonly tally: Readonly<ClientTally>
  serverStops(): void
}

/**
 * Starts clients in a closed loop over connections that are kept alive. A client ends when its new connection is not
 * accepted, because then the server is gone. The server never saw that request, so it was not cut off.
 * @returns `begun` resolves with the first good answer, and `ended` with the outcomes once all clients have ended. Call
 * `serverStops` when the server is told to stop.
 */
export function askUntilRefused(
  url: string,
  clients: number,
  requests: readonly ExpectedRequest[],
): KeepAliveClients {
  const tally: ClientTally = { good: 0, bad: {}, cut: {}, late: 0, refused: 0 }
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  let asked = 0
  let waitedForUntilMs = Number.POSITIVE_INFINITY
  const loops = Array.from({ length: clients }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (;;) {
      const expected = requests[asked++ % requests.length] as ExpectedRequest
      const isLate = performance.now() > waitedForUntilMs
      const outcome = await ask(url + expected.path, agent)
      if (outcome.kind === 'refused') break
      if (outcome.kind === 'unanswered' && isLate) tally.late++
      else if (outcome.kind !== 'answered') count(tally.cut, outcome.error)
      else if (outcome.status !== 200) count(tally.bad, String(outcome.status))
      else if (!isRightBody(expected, outcome.body)) count(tally.bad, 'wrong body')
      else if (++tally.good === 1) begin()
    }
    tally.refused++
    agent.destroy()
  })
  return {
    begun,
    tally,
    ended: Promise.all(loops).then(() => tally),
    serverStops() {
      waitedForUntilMs = performance.now() + ARRIVAL_MS
    },
  }
}

type Outcome =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  /** The answer did not come, or not completely. */
  | { readonly kind: 'unanswered' | 'cut'; readonly error: string }
  | { readonly kind: 'refused' }

async function ask(url: string, agent: Agent): Promise<Outcome> {
  const request = get(url, { agent }).on('error', () => {})
  let response: IncomingMessage
  try {
    ;[response] = await once(request, 'response')
  } catch (error) {
    return request.reusedSocket ? { kind: 'unanswered', error: codeOf(error) } : { kind: 'refused' }
  }
  try {
    return { kind: 'answered', status: response.statusCode as number, body: await text(response) }
  } catch (error) {
    return { kind: 'cut', error: codeOf(error) }
  }
}
