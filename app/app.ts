import { setTimeout as delay } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'
import type { MetricPoint } from '../apm-agent/metrics.ts'
import { closeServer } from '../lib/http/close-server.ts'
import { listen, listenOnDescriptor } from '../lib/http/listen.ts'
import { WatchedQueue } from '../lib/main-thread/watched-queue.ts'
import { runningDelay } from '../lib/os/running-time.ts'
import type { Addresses, Counts } from '../lib/processes/protocol.ts'
import { implementations } from './concerns.ts'
import { type AppConfig, composeFrom } from './config.ts'
import { createConcerns } from './create-concerns.ts'
import { createAssetRoutes } from './pages/asset-routes.ts'
import { instrumentPages } from './pages/instrument-pages.ts'
import { createPageHandler } from './pages/page-handler.ts'
import { threadCpuTime } from './pool.ts'
import type { ApiRoute } from './route.ts'
import { createRoutes } from './routes.ts'
import { createAdminServer } from './server/admin.ts'
import { manageConnections } from './server/connections.ts'
import type { Extra } from './server/extra.ts'
import { createExtras } from './server/extras.ts'
import { createAdmission } from './server/overload/admission.ts'
import { Refusals } from './server/overload/refusals.ts'
import { readUsage } from './server/usage.ts'
import { AppService } from './service.ts'

/**
 * How long idle connections stay open after another process has taken over the same socket. There is no hurry then, so
 * nearly every client asks once more in this time, and the answer closes its connection.
 */
const HANDOVER_MS = 1000

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
  const parts = await assemble(config)
  const addresses = await listenOn(config, parts)
  for (const extra of parts.extras) extra.listening?.(addresses)
  return { addresses, close: () => closeApp(config, parts) }
}

type AppParts = Awaited<ReturnType<typeof assemble>>

async function assemble(config: AppConfig) {
  const composition = composeFrom(config)
  const concerns = await createConcerns(config, composition)
  const { apm, logging, compute, guard } = concerns
  const { logger } = logging
  const refusals = new Refusals(logger)
  apm.watch(async () => [readMainThread()])
  apm.watch(refusals.readPoints)
  const tracedRendering = instrumentPages(concerns.rendering, apm)
  const readCounts = () => ({ logLines: logging.counts(), ...apm.counts() })
  const pools = [compute.pool, tracedRendering.pool]
  const extras = await createExtras({ ...concerns, config, composition, pools, readCounts })
  const state: { isReady: boolean; missing: readonly string[] } = { isReady: true, missing: [] }

  const routes = createRoutes({
    ...concerns,
    page: createPageHandler({ ...config, rendering: tracedRendering, apm, logger }),
    isReady: () => state.isReady,
    missing: () => state.missing,
  })
  const service = new AppService({
    routes: [...withExtras(routes, extras), ...createAssetRoutes()],
    apm,
    logger,
    record: extras.find(extra => extra.record)?.record,
    admission: createAdmission(config, {
      compute: new WatchedQueue(compute.queue, compute.pool.done),
      rendering: new WatchedQueue(concerns.rendering.queue, tracedRendering.pool.done),
      upstream: new WatchedQueue(guard.queue, { runMs: 0 }),
    }),
    refusals,
    degrades: config.overload === 'degrade',
    requestTimeoutMs: config.requestTimeoutMs,
  })

  const { createHttpServer } = await implementations.framework[composition.framework]()
  const server = await createHttpServer(service)
  const connections = manageConnections(server)
  server.maxConnections = config.maxConnections
  for (const extra of extras) extra.protect?.(server)
  refusals.watch(server)
  apm.instrument(server)
  const admin = createAdminServer({
    composition,
    logging,
    readUsage: () => readUsage(compute),
    readCounts,
    readRefusals: () => refusals.read(),
    setMissing: names => {
      state.missing = names
    },
    others: extras.flatMap(extra => extra.admin ?? []),
  })
  return { state, concerns, extras, service, server, connections, admin, readCounts }
}

async function closeApp(config: AppConfig, parts: AppParts): Promise<Counts> {
  const { state, concerns, extras, service, server, connections, admin, readCounts } = parts
  state.isReady = false
  for (const extra of extras) extra.stopping?.()
  await delay(config.unreadyMs)
  connections.closeAfterAnswers()
  await closeServer(server, config.drainTimeoutMs, config.listenFd === undefined ? undefined : HANDOVER_MS)
  // A client that has gone has closed its connection, but its route may still run, write log lines and be traced.
  await Promise.race([service.idle(), runningDelay(config.drainTimeoutMs)])
  for (const extra of extras) extra.close?.()
  await Promise.all([closeServer(admin), concerns.close()])
  return readCounts()
}

/** The routes, and those that extras make of them. */
function withExtras(routes: readonly ApiRoute[], extras: readonly Extra[]): readonly ApiRoute[] {
  let all = routes
  for (const extra of extras) all = [...all, ...(extra.routes?.(all) ?? [])]
  return all
}

async function listenOn(
  { host, port, listenFd, adminPort }: AppConfig,
  { server, admin }: AppParts,
): Promise<Addresses> {
  return {
    http: await (listenFd === undefined
      ? listen(server, host, port, { sharing: isMainThread ? 'cluster' : 'kernel' })
      : listenOnDescriptor(server, listenFd)),
    admin: await listen(admin, '127.0.0.1', adminPort, { flag: '--admin-port', sharing: 'none' }),
  }
}

/** The CPU time of the thread that serves requests. `process.threadCpuUsage` reads the thread that calls it. */
function readMainThread(): MetricPoint {
  const { user, system } = process.threadCpuUsage()
  return threadCpuTime('main', user + system)
}
