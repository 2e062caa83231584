import { setTimeout as delay } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'
import type { MetricPoint } from '../apm-agent/protocol.ts'
import { closeServer } from '../lib/http/close-server.ts'
import { listen, listenOnDescriptor } from '../lib/http/listen.ts'
import { WatchedQueue } from '../lib/main-thread/watched-queue.ts'
import { runningDelay } from '../lib/os/running-time.ts'
import type { Addresses, Counts } from '../lib/processes/protocol.ts'
import { DEFAULT_OTLP_URL } from '../lib/telemetry/otel-environment.ts'
import { instrumentTasks } from './concerns/compute/instrumented.ts'
import { createAssetRoutes } from './concerns/rendering/asset-routes.ts'
import { instrumentParts } from './concerns/rendering/instrumented.ts'
import { createPageHandler } from './concerns/rendering/page-handler.ts'
import { loadShell } from './concerns/rendering/shell.ts'
import { implementations } from './concerns.ts'
import { type AppConfig, composeFrom } from './config.ts'
import { createConcerns } from './create-concerns.ts'
import { handicap } from './handicap.ts'
import { threadCpuTime } from './pool.ts'
import { createRoutes } from './routes.ts'
import { createAdminServer } from './server/admin.ts'
import { manageConnections } from './server/connections.ts'
import { startFaults } from './server/faults/fault-routes.ts'
import { createFrontPage } from './server/front-page/route.ts'
import { createOpenApiRoute } from './server/openapi/route.ts'
import { createAdmission } from './server/overload/admission.ts'
import { Refusals } from './server/overload/refusals.ts'
import { describeApp } from './server/pulse/describe-app.ts'
import { RequestMeter } from './server/pulse/request-meter.ts'
import { startPulse } from './server/pulse/send-pulses.ts'
import { readUsage } from './server/usage.ts'
import { createService } from './service.ts'
import { isNeeded } from './sidecars.ts'

/**
 * How long idle connections stay open after another process has taken over the same socket. There is no hurry then, so
 * nearly every client asks once more in this time, and the answer closes its connection.
 */
const PATIENCE_MS = 1000

export interface App {
  /** The public server is `http`; the server for operators is `admin`. */
  readonly addresses: Addresses
  /** Finishes the requests in flight, flushes logs and telemetry, and releases all resources. */
  close(): Promise<Counts>
}

/**
 * Assembles the composition that `config` selects, and listens.
 * @throws UserError when a port is taken or the log file cannot be written
 */
export async function startApp(config: AppConfig): Promise<App> {
  const composition = composeFrom(config)
  const concerns = await createConcerns(config, composition)
  const { apm, logging, compute, rendering, upstream } = concerns
  const { logger } = logging
  apm.watch(async () => [readMainThread()])
  const refusals = new Refusals(logger)
  apm.watch(refusals.readPoints)

  const instrumentedCompute = instrumentTasks(compute, apm)
  const instrumentedRendering = instrumentParts(rendering, apm)

  let ready = true
  let missing: readonly string[] = []
  const hasLivePage = isNeeded('apm-agent', composition)
  const frontPage = createFrontPage(
    hasLivePage ? new URL('/', config.liveUrl ?? config.otlpUrl ?? DEFAULT_OTLP_URL).href : undefined,
  )
  const routes = createRoutes({
    ...concerns,
    compute: instrumentedCompute,
    page: createPageHandler({
      ...config,
      ...concerns,
      shell: loadShell(),
      rendering: instrumentedRendering,
      upstreamType: concerns.serialization.upstreamType,
      logger,
    }),
    isReady: () => ready,
    missing: () => missing,
  })
  const admission = createAdmission(config, {
    compute: new WatchedQueue(compute.queue, instrumentedCompute.pool.done),
    rendering: new WatchedQueue(rendering.queue, instrumentedRendering.pool.done),
    upstream: new WatchedQueue(upstream.queue, { runMs: 0 }),
  })
  const meter = new RequestMeter()
  const service = createService({
    routes: [frontPage, ...routes, createOpenApiRoute([frontPage, ...routes]), ...createAssetRoutes()],
    apm,
    logger,
    meter,
    admission,
    refusals,
    requestTimeoutMs: config.requestTimeoutMs,
  })
  const { createHttpServer } = await implementations.framework[composition.framework]()
  const server = await createHttpServer(service)
  const connections = manageConnections(server)
  refusals.watch(server)
  apm.instrument(server)
  if (config.handicapPercent > 0) handicap(server, config.handicapPercent)
  const readCounts = () => ({ logLines: logging.counts(), ...apm.counts() })
  const faults = config.faults ? startFaults(concerns, config.faultToken) : undefined
  const admin = createAdminServer({
    composition,
    logging,
    readUsage: () => readUsage(compute),
    readCounts,
    readRefusals: () => refusals.read(),
    setMissing: names => {
      missing = names
    },
    answerFault: faults?.answer,
  })

  const addresses = {
    http: await (config.listenFd === undefined
      ? listen(server, config.host, config.port, { sharing: isMainThread ? 'cluster' : 'kernel' })
      : listenOnDescriptor(server, config.listenFd)),
    admin: await listen(admin, '127.0.0.1', config.adminPort, { flag: '--admin-port', sharing: 'none' }),
  }
  faults?.publish(config.apmSocket, addresses.admin)
  const stopPulse = hasLivePage
    ? startPulse({
        app: describeApp(composition),
        apmSocket: config.apmSocket,
        meter,
        pools: [instrumentedCompute.pool, instrumentedRendering.pool],
        readCounts,
        readFaults: () => faults?.readPulse() ?? [],
      })
    : () => {}

  return {
    addresses,
    async close() {
      ready = false
      faults?.close()
      await delay(config.unreadyMs)
      connections.closeAfterAnswers()
      await closeServer(
        server,
        config.drainTimeoutMs,
        config.listenFd === undefined ? undefined : PATIENCE_MS,
      )
      // A client that has gone has closed its connection, but its route may still run, write log lines and be traced.
      await Promise.race([service.idle(), runningDelay(config.drainTimeoutMs)])
      stopPulse()
      await Promise.all([closeServer(admin), concerns.close()])
      return readCounts()
    },
  }
}

/** This must run on the main thread, because `process.threadCpuUsage` reads the calling thread. */
function readMainThread(): MetricPoint {
  const { user, system } = process.threadCpuUsage()
  return threadCpuTime('main', user + system)
}
