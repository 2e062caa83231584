import { Agent, get, type IncomingMessage } from 'node:http'
import { count } from './tally.ts'

/** What became of the requests of clients that ask again and again while the server goes away. */
export interface ClientTally {
  /** Whole answers, with status 200 and the right body. */
  good: number
  /** Other answers, by their status; or `wrong body`. */
  readonly bad: Record<string, number>
  /** Requests on a connection that had served before, or whose answer had begun, that were cut off; by error. */
  readonly cut: Record<string, number>
  /** Connections that the server never accepted. */
  refused: number
}

/**
 * Clients in a closed loop over connections that are kept alive. A client whose new connection is not accepted ends: the
 * server is gone. What it had sent by then the server never saw, so nothing was cut off.
 * @returns `begun` resolves with the first good answer, `ended` with what came of it once all have ended
 */
export function askUntilRefused(
  url: string,
  clients: number,
  requests: readonly { readonly path: string; readonly body: string }[],
): { readonly begun: Promise<void>; readonly ended: Promise<ClientTally> } {
  const tally: ClientTally = { good: 0, bad: {}, cut: {}, refused: 0 }
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  let asked = 0
  const loops = Array.from({ length: clients }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (;;) {
      const expected = requests[asked++ % requests.length] as (typeof requests)[0]
      const outcome = await ask(url + expected.path, agent)
      if (outcome.kind === 'refused') break
      if (outcome.kind === 'cut') count(tally.cut, outcome.error)
      else if (outcome.status !== 200) count(tally.bad, String(outcome.status))
      else if (outcome.body !== expected.body) count(tally.bad, 'wrong body')
      else if (++tally.good === 1) begin()
    }
    tally.refused++
    agent.destroy()
  })
  return { begun, ended: Promise.all(loops).then(() => tally) }
}

type Outcome =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  | { readonly kind: 'cut'; readonly error: string }
  | { readonly kind: 'refused' }

function ask(url: string, agent: Agent): Promise<Outcome> {
  return new Promise(resolve => {
    const fail = (error: NodeJS.ErrnoException) =>
      resolve({ kind: 'cut', error: error.code ?? error.message })
    const request = get(url, { agent }, (response: IncomingMessage) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        body += chunk
      })
      response.on('end', () => resolve({ kind: 'answered', status: response.statusCode as number, body }))
      response.on('error', fail)
    })
    request.on('error', error => (request.reusedSocket ? fail(error) : resolve({ kind: 'refused' })))
  })
}
