import { createServer, type ServerResponse } from 'node:http'
import { figuresOf } from '../../apm-agent/live/figures.ts'
import { readLivePage } from '../../apm-agent/live/live.ts'
import { listen } from '../../lib/http/listen.ts'
import { refuse } from '../../lib/http/respond.ts'
import { sendFile } from '../../screen/files.ts'
import {
  type AppDescription,
  type LiveMessage,
  UPDATE_INTERVAL_MS,
  type Update,
} from '../../screen/live-messages.ts'
import { describeTestApp, pulseOf } from '../pulses.ts'

const STARTED_AT_MS = Date.UTC(2026, 0, 1)

/** Serves the live page. The test makes its updates and sets its clock. */
export async function startLiveSource() {
  const page = readLivePage()
  const viewers = new Set<ServerResponse>()
  let played = 0
  const server = createServer((request, response) => {
    const file = page.get((request.url as string).split('?')[0] as string)
    if (file) return sendFile(response, file)
    if (!request.url?.startsWith('/events')) return refuse(response, 404, 'NOT_FOUND', '')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    viewers.add(response.once('close', () => viewers.delete(response)))
    for (const message of [helloOf(), runOf('a test')]) tell(message)
  })

  function tell(message: LiveMessage): void {
    const id = STARTED_AT_MS + UPDATE_INTERVAL_MS * played
    for (const viewer of viewers) viewer.write(`id: ${id}\ndata: ${JSON.stringify(message)}\n\n`)
  }

  const helloOf = (): LiveMessage => ({
    kind: 'hello',
    nowMs: STARTED_AT_MS + UPDATE_INTERVAL_MS * played,
  })
  const runOf = (note: string): LiveMessage => ({ kind: 'run', note })

  return {
    runOf,
    /** The goodput of the last update. Each update has another one. */
    get lastGoodput() {
      return played
    },
    url: await listen(server, '127.0.0.1', 0),
    tell,
    /** Sends updates of an app, one for each half second of the test's clock. @param count number of updates */
    play(count: number, app: AppDescription = describeTestApp(), changes: Partial<Update> = {}): void {
      for (let index = 0; index < count; index++) {
        const update = { ...updateOf(STARTED_AT_MS + UPDATE_INTERVAL_MS * ++played, app), ...changes }
        if (index === 0) tell({ kind: 'app', app })
        tell({ kind: 'update', update })
      }
    },
    /** Ends the connections of all pages. */
    disconnect() {
      for (const viewer of viewers) viewer.end()
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function updateOf(atMs: number, app: AppDescription): Update {
  const figures = figuresOf([[pulseOf(1, app), pulseOf(2, app)]])
  const none = { emitted: 0, delivered: 0 }
  return {
    atMs,
    app: app.instance,
    ...figures,
    goodput: (atMs - STARTED_AT_MS) / UPDATE_INTERVAL_MS,
    faults: [],
    ledger: { logLines: none, spans: none, metricPoints: none },
  }
}
