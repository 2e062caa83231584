#!/usr/bin/env node
import { rm } from 'node:fs/promises'
import { runCommand } from '../lib/cli/command.ts'
import { closeServer, listen } from '../lib/http/listen.ts'
import { RunningClock } from '../lib/os/running-time.ts'
import { joinStack } from '../lib/processes/join-stack.ts'
import { AppInstance } from './app-instance.ts'
import { CollectorExport, readCollectorUrls } from './collector.ts'
import { createAgent, createAgentServer } from './http-server.ts'
import { listenOnSocket } from './listen-on-socket.ts'
import { DeliveredLines } from './live/delivered-lines.ts'
import { Live, readLivePage, readPulse } from './live/live.ts'
import { agentOptions } from './options.ts'
import { createRecordServer } from './record-server.ts'
import { type Reporter, Reporters } from './reporters.ts'

// Metrics that come as OTLP are passed on unchanged, so only those of app instances are exported here.
const isAppInstance = (reporter: Reporter) => reporter instanceof AppInstance

/** The exports to a collector have five seconds, and the HTTP server as long. */
const STOP_LIMIT_MS = 15_000

await runCommand({
  usage: 'apm-agent [options]',
  description:
    'Turns the records of services into metrics and spans, exports them to Prometheus and a collector, and serves a live page.',
  options: agentOptions,
  async run({
    host,
    port,
    allowedHosts,
    apmSocket,
    collectorUrl,
    exportIntervalMs,
    loggerTransportUrl,
    note,
  }) {
    const page = readLivePage()
    const lines = loggerTransportUrl ? new DeliveredLines(loggerTransportUrl) : undefined
    // Lines that were delivered before this app emitted any belong to another app.
    await lines?.refresh()
    const clock = new RunningClock()
    const urls = readCollectorUrls(collectorUrl, host, port)
    const agent = createAgent(urls, new Reporters(clock))
    const { counts, reporters, relays } = agent
    const collector = new CollectorExport({
      urls,
      counts: agent.exports,
      intervalMs: exportIntervalMs,
      collect: () => reporters.collect(isAppInstance),
    })
    const live = new Live({
      note,
      clock,
      deliveries: {
        of: instance => counts.deliveredBy(instance),
        readLines(isWatched) {
          if (isWatched) void lines?.refresh()
          return lines?.count ?? null
        },
      },
    })
    const httpServer = createAgentServer({ ...agent, live, page, allowedHosts })
    const recordServer = createRecordServer({
      counts,
      reporters,
      spans: collector.spans,
      takePulse: frame => live.take(readPulse(frame)),
    })
    // The port comes first, so that no socket has to be removed if it is taken.
    const addresses = { http: await listen(httpServer, host, port), socket: `unix:${apmSocket}` }
    await listenOnSocket(recordServer, apmSocket)

    const close = async () => {
      recordServer.stopReading()
      live.close()
      await Promise.all([closeServer(httpServer), ...Object.values(relays).map(relay => relay.close())])
      await collector.close()
      recordServer.close()
      // The directory of the socket may not permit it any more. The next apm-agent removes what is left.
      await rm(apmSocket, { force: true }).catch(() => {})
      return counts.delivered()
    }
    joinStack({ name: 'apm-agent', addresses, close, stopLimitMs: STOP_LIMIT_MS })
  },
})
