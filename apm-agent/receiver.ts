import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { runCommand } from '../lib/cli/command.ts'
import { closeServer } from '../lib/http/close-server.ts'
import { guard } from '../lib/http/guard.ts'
import { listen } from '../lib/http/listen.ts'
import { splitUrl } from '../lib/http/query.ts'
import { refuse, respond } from '../lib/http/respond.ts'
import { joinStack } from '../lib/processes/join-stack.ts'
import { AgentCounts } from './counts.ts'
import { agentOptions } from './options.ts'
import { exposeMetrics } from './prometheus.ts'
import { Reporters } from './reporters.ts'
import { otlpPaths, takeOtlp } from './take-otlp.ts'

/** Takes the records of the step whose telemetry leaves the process; other steps send OTLP alone, and have none. */
const recordReceivers: Readonly<
  Record<string, () => Promise<{ receiveRecords(socket: string, to: ReceivedRecords): Promise<Closable> }>>
> = {
  records: () => import('./receive-records.ts'),
}

interface ReceivedRecords {
  readonly counts: AgentCounts
  readonly reporters: Reporters
}

interface Closable {
  close(): unknown
}

await runCommand({
  usage: 'node apm-agent/receiver.ts [options]',
  description:
    'The agent in its smallest form: it takes records and OTLP, and serves /metrics for Prometheus.',
  options: { port: agentOptions.port, apmSocket: agentOptions.apmSocket },
  async run({ port, apmSocket }) {
    const [counts, reporters] = [new AgentCounts(), new Reporters()]
    const http = createReceiver(counts, reporters)
    const addresses = { http: await listen(http, '127.0.0.1', port) }
    const loaded = await Promise.all(Object.values(recordReceivers).map(load => load()))
    const receivers = await Promise.all(
      loaded.map(({ receiveRecords }) => receiveRecords(apmSocket, { counts, reporters })),
    )
    const close = async () => {
      await Promise.all([closeServer(http), ...receivers.map(receiver => receiver.close())])
      return counts.delivered()
    }
    joinStack({ name: 'apm-agent', addresses, close })
  },
})

/** POST /v1/traces and /v1/metrics (OTLP, Protobuf); GET /metrics and /healthz. */
function createReceiver(counts: AgentCounts, reporters: Reporters): Server {
  const answers: Readonly<Record<string, () => readonly [type: string, body: string]>> = {
    'GET /metrics': () => ['text/plain; version=0.0.4', exposeMetrics(reporters.collect())],
    'GET /healthz': () => ['application/json', '{"status":"ok"}'],
  }
  return createServer(
    guard([], async (request: IncomingMessage, response: ServerResponse) => {
      const [path] = splitUrl(request.url as string)
      const asked = `${request.method} ${path}`
      if (request.method === 'POST' && otlpPaths.includes(path))
        return takeOtlp(request, response, path, { counts, reporters })
      const answer = answers[asked]
      if (answer) return respond(response, 200, ...answer())
      refuse(
        response,
        404,
        'NOT_FOUND',
        `there is only ${[...otlpPaths, ...Object.keys(answers)].join(', ')}`,
      )
    }),
  )
}
