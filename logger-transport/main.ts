import { fstatSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { closeServer } from '../lib/close-server.ts'
import { runCommand } from '../lib/command.ts'
import { guard } from '../lib/guard.ts'
import { listen } from '../lib/listen.ts'
import { makePrivateDirectory } from '../lib/private-directory.ts'
import { readProcessUsage } from '../lib/process-usage.ts'
import { joinStack } from '../lib/processes/join-stack.ts'
import type { Counts } from '../lib/processes/protocol.ts'
import { refuse, respond } from '../lib/respond.ts'
import { followSegments } from './follow.ts'
import { countDelivered, createMetrics, type Metrics } from './metrics.ts'
import { transportOptions } from './options.ts'
import { followPipe } from './pipe.ts'
import { createTarget } from './targets/index.ts'

const FINISH_LIMIT_MS = 15_000

await runCommand({
  usage: 'node logger-transport/main.ts [options]   or   … | node logger-transport/main.ts [options]',
  description:
    'Delivers log lines to their targets: from the segments that apps write, or from a pipe on stdin.',
  options: transportOptions,
  async run(options) {
    const fromPipe = fstatSync(0).isFIFO()
    if (!fromPipe) makePrivateDirectory(options.logDir, '--log-dir')
    const metrics = createMetrics()
    const targets = await Promise.all(options.targets.map(name => createTarget(name, options)))
    const readCounts = async () => ({ logLines: { delivered: await countDelivered(metrics, targets) } })
    const server = createMetricsServer(metrics, readCounts, options.allowedHosts)
    const address = await listen(server, options.host, options.port)
    const [finish, giveUp] = [new AbortController(), new AbortController()]
    const followed = fromPipe
      ? followPipe(process.stdin, targets, metrics, giveUp.signal)
      : followSegments({
          ...options,
          logDirectory: options.logDir,
          targets,
          metrics,
          finish: finish.signal,
          giveUp: giveUp.signal,
        })
    // By earlier transports, which have told the stack of it themselves.
    const deliveredBefore = await countDelivered(metrics, targets)

    const close = async () => {
      finish.abort()
      const limit = setTimeout(() => giveUp.abort(), FINISH_LIMIT_MS)
      await followed
      clearTimeout(limit)
      await Promise.all(targets.map(target => target.close()))
      await closeServer(server)
      const { logLines } = await readCounts()
      return { logLines: { delivered: logLines.delivered - deliveredBefore } }
    }
    const stop = joinStack({
      name: 'logger-transport',
      addresses: { http: address },
      close,
      endsWithInput: fromPipe,
    })
    if (fromPipe) void followed.then(stop)
  },
})

function createMetricsServer(
  { registry }: Metrics,
  readCounts: () => Promise<Counts>,
  allowedHosts: readonly string[],
) {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/metrics')
      return respond(response, 200, registry.contentType, await registry.metrics())
    if (request.url === '/counts')
      return respond(response, 200, 'application/json', JSON.stringify(await readCounts()))
    if (request.url === '/usage')
      return respond(response, 200, 'application/json', JSON.stringify(readProcessUsage()))
    if (request.url === '/healthz') return respond(response, 200, 'application/json', '{"status":"ok"}')
    refuse(response, 404, 'NOT_FOUND', 'there is GET /metrics, /counts, /usage and /healthz')
  }
  return createServer(guard(allowedHosts, answer))
}
