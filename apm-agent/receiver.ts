import { rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { runCommand } from '../lib/cli/command.ts'
import { guardServer } from '../lib/http/guard.ts'
import { closeServer, listen } from '../lib/http/listen.ts'
import { splitUrl } from '../lib/http/query.ts'
import { refuse, respond } from '../lib/http/respond.ts'
import { joinStack } from '../lib/processes/join-stack.ts'
import { AgentCounts } from './counts.ts'
import { listenOnSocket } from './listen-on-socket.ts'
import { agentOptions } from './options.ts'
import { exposeMetrics } from './prometheus.ts'
import { createRecordServer } from './record-server.ts'
import { Reporters } from './reporters.ts'

await runCommand({
  usage: 'node apm-agent/receiver.ts [options]',
  description: 'The agent in its smallest form: it takes records, and serves /metrics for Prometheus.',
  options: { port: agentOptions.port, apmSocket: agentOptions.apmSocket },
  async run({ port, apmSocket }) {
    const [counts, reporters] = [new AgentCounts(), new Reporters()]
    const http = createMetricsServer(reporters)
    guardServer(http)
    const addresses = { http: await listen(http, '127.0.0.1', port) }
    const records = await receiveRecords(apmSocket, { counts, reporters })
    const close = async () => {
      await Promise.all([closeServer(http), records.close()])
      return counts.delivered()
    }
    joinStack({ name: 'apm-agent', addresses, close })
  },
})

/** GET /metrics and /healthz. */
function createMetricsServer(reporters: Reporters): Server {
  const answers: Readonly<Record<string, () => readonly [type: string, body: string]>> = {
    'GET /metrics': () => ['text/plain; version=0.0.4', exposeMetrics(reporters.collect())],
    'GET /healthz': () => ['application/json', '{"status":"ok"}'],
  }
  return createServer((request, response) => {
    const [path] = splitUrl(request.url as string)
    const answer = answers[`${request.method} ${path}`]
    if (answer) respond(response, 200, ...answer())
    else refuse(response, 404, 'NOT_FOUND', `there is only ${Object.keys(answers).join(', ')}`)
  })
}

/** Counts the records of apps that come over a Unix socket, until it is closed. */
async function receiveRecords(
  socket: string,
  to: { readonly counts: AgentCounts; readonly reporters: Reporters },
) {
  const server = createRecordServer({ ...to, takeSpans: undefined })
  await listenOnSocket(server, socket)
  return {
    async close(): Promise<void> {
      server.close()
      await rm(socket, { force: true })
    },
  }
}
