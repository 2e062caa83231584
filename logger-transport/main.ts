#!/usr/bin/env node
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { resolve } from 'node:path'
import { runCommand } from '../lib/cli/command.ts'
import { guardServer } from '../lib/http/guard.ts'
import { closeServer, listen } from '../lib/http/listen.ts'
import { refuse, respond } from '../lib/http/respond.ts'
import { ownPlace } from '../lib/os/own-place.ts'
import { makePrivateDirectory } from '../lib/os/private-directory.ts'
import { readProcessUsage } from '../lib/os/usage.ts'
import { joinStack } from '../lib/processes/join-stack.ts'
import type { Counts } from '../lib/processes/protocol.ts'
import { record } from '../lib/record.ts'
import { PROMETHEUS_TYPE, toPrometheusText } from '../lib/telemetry/prometheus.ts'
import { figuresOf } from './figures.ts'
import { followSegments } from './follow.ts'
import { lineCounts, Metrics } from './metrics.ts'
import { createTarget, FINISH_LIMIT_MS, transportOptions } from './options.ts'

/** At a stop, requests to the metrics server that are in flight have this much time to end. */
const DRAIN_MS = 5000
/** A stop takes longer only if a call of the file system hangs. */
const STOP_MARGIN_MS = 3000

await runCommand({
  usage: 'logger-transport [options]',
  description: 'Delivers the log lines of services to their targets.',
  options: transportOptions,
  async run(options) {
    const logDirectory = resolve(options.logDir)
    makePrivateDirectory(logDirectory, '--log-dir')
    await ownPlace({ path: logDirectory, isDirectory: true, name: 'logger-transport', flag: '--log-dir' })
    const metrics = new Metrics()
    const targets = await Promise.all(options.targets.map(name => createTarget(name, options)))
    const server = createMetricsServer(metrics)
    guardServer(server, options.allowedHosts)
    const address = await listen(server, options.host, options.port)
    const finish = new AbortController()
    const followed = followSegments({ logDirectory, targets, metrics, finish: finish.signal })
    // These lines were counted by earlier transports, which have reported them to the stack themselves.
    const before = metrics.countLines()

    const close = async () => {
      finish.abort()
      await followed
      await Promise.all(targets.map(target => target.close()))
      await closeServer(server, { drainMs: DRAIN_MS })
      const counts = metrics.countLines()
      return { logLines: record(lineCounts, key => counts[key] - before[key]) }
    }
    // Programs that rotate logs send this signal. The file is opened again before the next lines in any case.
    process.on('SIGHUP', () => {})
    const stop = joinStack({
      name: 'logger-transport',
      addresses: { http: address },
      close,
      stopLimitMs: FINISH_LIMIT_MS + STOP_MARGIN_MS,
    })
    // It ends when no target is left.
    void followed.then(stop)
  },
})

function createMetricsServer(metrics: Metrics) {
  const json = (value: unknown) => ['application/json', JSON.stringify(value)] as const
  const answers: Record<string, () => Promise<readonly [type: string, body: string]>> = {
    '/metrics': async () => [PROMETHEUS_TYPE, toPrometheusText(await figuresOf(metrics))],
    '/counts': async () => json({ logLines: metrics.countLines() } satisfies Counts),
    '/usage': async () => json(readProcessUsage()),
    '/healthz': async () => json({ status: 'ok' }),
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const found = answers[(request.url ?? '').replace(/\?.*/s, '')]
    if (found) respond(response, 200, ...(await found()))
    else refuse(response, 404, 'NOT_FOUND', `there is only GET ${Object.keys(answers).join(', ')}`)
  }
  return createServer(answer)
}
