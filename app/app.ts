import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import type { MetricPoint } from '../apm-agent/protocol.ts'
import { closeServer } from '../lib/close-server.ts'
import { listen } from '../lib/listen.ts'
import type { Addresses, Counts } from '../lib/processes/protocol.ts'
import { createAdminServer } from './admin.ts'
import { observeTasks } from './concerns/compute/observed.ts'
import { createAssetRoutes } from './concerns/rendering/asset-routes.ts'
import { observeParts } from './concerns/rendering/observed.ts'
import { createPageHandler } from './concerns/rendering/page-handler.ts'
import { loadShell } from './concerns/rendering/shell.ts'
import { implementations } from './concerns.ts'
import { type AppConfig, composeFrom } from './config.ts'
import { closeConnectionsAfterAnswers, manageConnections } from './connections.ts'
import { createConcerns } from './create-concerns.ts'
import { startFaults } from './faults/start-faults.ts'
import { handicap } from './handicap.ts'
import { createOpenApiRoute } from './openapi/route.ts'
import { createGate } from './overload/admission.ts'
import { WatchedLane } from './overload/lane.ts'
import { Refusals } from './overload/refusals.ts'
import { threadCpuTime } from './pool.ts'
import { describeApp } from './pulse/describe-app.ts'
import { startPulse } from './pulse/pulse.ts'
import { RequestMeter } from './pulse/request-meter.ts'
import { createRoutes } from './routes.ts'
import { createService } from './service.ts'
import { isNeeded } from './sidecars.ts'
import { circuitPoints } from './upstream/circuit-points.ts'
import { createOrdersClient } from './upstream/orders-client.ts'
import { readUsage } from './usage.ts'

export interface App {
  /** `http` is the public server, `admin` the one for operators. */
  readonly addresses: Addresses
  /** Finishes what is in flight, flushes logs and telemetry, releases everything. */
  close(): Promise<Counts>
}

/**
 * Assembles the composition that `config` asks for, and listens.
 * @throws UserError when a port is taken or the log file cannot be written
 */
export async function startApp(config: AppConfig): Promise<App> {
  const composition = composeFrom(config)
  const { apm, logging, serialization, compute, rendering } = await createConcerns(config, composition)
  const { logger } = logging
  const { upstreamType } = serialization
  apm.watch(async () => [readMainThread()])
  const upstream = createOrdersClient(
    config.ordersUrl,
    Math.min(config.ordersTimeoutMs, config.requestTimeoutMs / 2),
    upstreamType,
    (operation, state) => logger.warn(`the circuit breaker of ${operation} is ${state}`),
  )
  apm.watch(async () => circuitPoints(upstream.circuits))
  const refusals = new Refusals(logger)
  apm.watch(refusals.readPoints)

  const observedCompute = observeTasks(compute, apm)
  const observedRendering = observeParts(rendering, apm)

  let ready = true
  const routes = createRoutes({
    compute: observedCompute,
    serialization,
    logger,
    upstream,
    page: createPageHandler({
      ...config,
      shell: loadShell(),
      rendering: observedRendering,
      upstream,
      upstreamType,
      logger,
      apm,
    }),
    isReady: () => ready,
  })
  const gate = createGate(config, {
    compute: new WatchedLane(compute.lane, observedCompute.pool.done),
    rendering: new WatchedLane(rendering.lane, observedRendering.pool.done),
    upstream: new WatchedLane(upstream.lane, { runMs: 0 }),
  })
  const meter = new RequestMeter()
  const service = createService({
    routes: [...routes, createOpenApiRoute(routes), ...createAssetRoutes()],
    apm,
    logger,
    meter,
    gate,
    refusals,
    requestTimeoutMs: config.requestTimeoutMs,
  })
  const { createHttpServer } = await implementations.framework[composition.framework]()
  const server = await createHttpServer(service)
  manageConnections(server)
  refusals.watch(server)
  apm.observe(server)
  if (config.handicapPercent > 0) handicap(server, config.handicapPercent)
  const readCounts = () => ({ logLines: logging.counts(), ...apm.counts() })
  const faults = config.faults ? startFaults({ compute, rendering, logging }, config.faultToken) : undefined
  const admin = createAdminServer({
    composition,
    logging,
    readUsage: () => readUsage(compute),
    readCounts,
    readRefusals: () => refusals.read(),
    answerFault: faults?.answer,
  })

  const addresses = {
    http: await listen(server, config.host, config.port),
    admin: await listen(admin, '127.0.0.1', config.adminPort, '--admin-port', true),
  }
  const stopPulse = isNeeded('apm-agent', composition)
    ? startPulse({
        app: describeApp(config, composition),
        apmSocket: config.apmSocket,
        meter,
        pools: [observedCompute.pool, observedRendering.pool],
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
      closeConnectionsAfterAnswers(server)
      await closeServer(server, config.drainTimeoutMs)
      // A client that is gone has closed its connection, but its route may still run, and log, and be traced.
      await Promise.race([service.idle(), delay(config.drainTimeoutMs, undefined, { ref: false })])
      stopPulse()
      await Promise.all([closeServer(admin), compute.close(), rendering.close(), upstream.close()])
      await turn()
      await apm.close()
      await logging.close()
      return readCounts()
    },
  }
}

/** Must run on the main thread. */
function readMainThread(): MetricPoint {
  const { user, system } = process.threadCpuUsage()
  return threadCpuTime('main', user + system)
}
