import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { runCommand } from '../lib/cli/command.ts'
import { guardServer } from '../lib/http/guard.ts'
import { closeServer, listen } from '../lib/http/listen.ts'
import { refuse, respond } from '../lib/http/respond.ts'
import { joinStack } from '../lib/processes/join-stack.ts'
import { AgentCounts } from './counts.ts'
import { listenOnSocket } from './listen-on-socket.ts'
import { agentOptions } from './options.ts'
import { createRecordServer } from './record-server.ts'
import { Reporters } from './reporters.ts'

/** Each series has the labels of its service. */
const serializer = new PrometheusSerializer('', false, /^service\./)

await runCommand({
  usage: 'node apm-agent/receiver.ts [options]',
  description: 'The agent in its smallest form: it takes records, and serves /metrics for Prometheus.',
  options: { port: agentOptions.port, apmSocket: agentOptions.apmSocket },
  async run({ port, apmSocket }) {
    const [counts, reporters] = [new AgentCounts(), new Reporters()]
    const http = createServer(({ url }, response) => {
      if (url !== '/metrics') return refuse(response, 404, 'NOT_FOUND', 'there is only GET /metrics')
      const metrics = reporters.collect().map(each => serializer.serialize(each))
      respond(response, 200, 'text/plain; version=0.0.4', metrics.join(''))
    })
    guardServer(http)
    const addresses = { http: await listen(http, '127.0.0.1', port) }
    const records = createRecordServer({ counts, reporters })
    await listenOnSocket(records, apmSocket)
    const close = async () => {
      await closeServer(http)
      records.close()
      await rm(apmSocket, { force: true })
      return counts.delivered()
    }
    joinStack({ name: 'apm-agent', addresses, close })
  },
})
